import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { readRequest } from "./read-request.ts";

interface RequestLayoutProps {
  readonly params: Promise<{ id: string }>;
  readonly children: ReactNode;
}

/** Checks that the request exists before the response starts, so that a missing request has status 404. */
export default async function RequestLayout({ params, children }: RequestLayoutProps) {
  if (!(await readRequest((await params).id))) notFound();
  return children;
}
