import { CircleAlertIcon } from "lucide-react";
import { InlineCode } from "#components/ui/inline-code.tsx";
import type { Job } from "#lib/jobs/view/job.ts";
import { adviseOn } from "./failure-advice.ts";

/** Why a job failed and what to do. */
export function Failure({ job }: { job: Pick<Job, "error" | "error_code"> }) {
  return (
    <div
      role="alert"
      className="flex gap-3 rounded-xl border border-destructive/40 bg-destructive/5 p-5 text-sm"
    >
      <CircleAlertIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-destructive" />
      <div className="grid min-w-0 gap-1.5">
        <p className="font-medium break-words">
          <InlineCode text={job.error ?? "The job failed."} />
        </p>
        {job.error_code && (
          <>
            <p className="text-muted-foreground">{adviseOn(job.error_code, job.error ?? "")}</p>
            <p className="font-mono text-xs text-muted-foreground">{job.error_code}</p>
          </>
        )}
      </div>
    </div>
  );
}
