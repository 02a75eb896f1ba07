import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { readDelivery } from "./read-delivery.ts";

interface DeliveryLayoutProps {
  readonly params: Promise<{ id: string }>;
  readonly children: ReactNode;
}

/** Checks that the delivery exists before the response starts, so that a missing delivery has status 404. */
export default async function DeliveryLayout({ params, children }: DeliveryLayoutProps) {
  if (!(await readDelivery((await params).id))) notFound();
  return children;
}
