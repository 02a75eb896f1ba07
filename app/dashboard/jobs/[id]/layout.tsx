import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { readJob } from "./read-job.ts";

interface JobLayoutProps {
  readonly params: Promise<{ id: string }>;
  readonly children: ReactNode;
}

/** Checks that the job exists before the response starts, so that a missing job has status 404. */
export default async function JobLayout({ params, children }: JobLayoutProps) {
  if (!(await readJob((await params).id))) notFound();
  return children;
}
