import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { readOwnJob } from "./own-job.ts";

interface JobLayoutProps {
  readonly params: Promise<{ id: string }>;
  readonly children: ReactNode;
}

/** Asks before anything is sent, so that a job that there is not is answered with 404. */
export default async function JobLayout({ params, children }: JobLayoutProps) {
  if (!(await readOwnJob((await params).id))) notFound();
  return children;
}
