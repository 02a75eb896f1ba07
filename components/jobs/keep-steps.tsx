"use client";

import { RotateCwIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { toFailedAction } from "./failed-action.ts";
import type { JobActionHandlers } from "./job-actions.tsx";

interface KeepStepsProps {
  readonly jobId: string;
  readonly retry: JobActionHandlers["retry"];
}

/** Runs a chain again as a job that keeps the file of each step, and opens it. */
export function KeepSteps({ jobId, retry }: KeepStepsProps) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const start = () =>
    startTransition(async () => {
      const { error, jobId: next } = await retry(jobId, true).catch(toFailedAction);
      if (error !== undefined) toast.error(error);
      else if (next !== undefined) router.push(`/dashboard/jobs/${next}`);
    });
  return (
    <Button variant="outline" size="sm" aria-disabled={busy} onClick={() => !busy && start()}>
      <RotateCwIcon aria-hidden="true" className={busy ? "animate-spin" : undefined} />
      Run again and keep each step’s file
    </Button>
  );
}
