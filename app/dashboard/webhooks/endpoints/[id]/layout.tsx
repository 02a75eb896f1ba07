import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { readEndpoint } from "./read-endpoint.ts";

interface EndpointLayoutProps {
  readonly params: Promise<{ id: string }>;
  readonly children: ReactNode;
}

/** Checks that the endpoint exists before the response starts, so that a missing endpoint has status 404. */
export default async function EndpointLayout({ params, children }: EndpointLayoutProps) {
  if (!(await readEndpoint((await params).id))) notFound();
  return children;
}
