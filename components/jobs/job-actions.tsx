"use client";

import { BanIcon, DownloadIcon, FlaskConicalIcon, RotateCwIcon, Trash2Icon } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { ShareButton } from "#components/share/share-button.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { toFailedAction } from "./failed-action.ts";
import { failsAgain, needsUnlock } from "./failure-advice.ts";
import { jobsPath } from "./follow/use-job-details.ts";

interface ActionResult {
  /** Why the action was rejected. */
  readonly error?: string;
  /** The new job of a retry. */
  readonly jobId?: string;
}

/** The server actions of a job's page. */
export interface JobActionHandlers {
  readonly cancel: (id: string) => Promise<ActionResult>;
  readonly deleteFiles: (id: string) => Promise<ActionResult>;
  readonly retry: (id: string, keepsSteps?: boolean) => Promise<ActionResult>;
}

interface JobActionsProps {
  readonly details: JobDetails;
  readonly handlers: JobActionHandlers;
}

/** The buttons for what the job's status allows. The main one is what most people want next. */
export function JobActions({ details, handlers }: JobActionsProps) {
  const { job, hasFiles, isExported, inputs } = details;
  const router = useRouter();
  const [busy, startTransition] = useTransition();

  function run(action: JobActionHandlers[keyof JobActionHandlers], successMessage: string) {
    startTransition(async () => {
      const { error, jobId } = await action(job.id).catch(toFailedAction);
      if (error !== undefined) {
        toast.error(error);
        return;
      }
      toast.success(successMessage);
      if (jobId === undefined) router.refresh();
      else router.push(`/dashboard/jobs/${jobId}`);
    });
  }

  if (!isFinal(job)) {
    return (
      <ConfirmDialog
        trigger={
          <Button variant="outline" disabled={busy} data-verb="Cancel this job">
            <BanIcon aria-hidden="true" />
            Cancel
          </Button>
        }
        title="Cancel this job?"
        description="Processing stops immediately. The job does not count toward your usage, and you can retry it."
        confirm="Cancel job"
        dismiss="Keep running"
        onConfirm={() => run(handlers.cancel, "Job cancelled")}
      />
    );
  }
  const isDownloadable = hasFiles && !isExported && job.outputs.length > 0;
  const canUnlock =
    job.status === "failed" &&
    needsUnlock(
      job,
      inputs.map(({ contentType }) => contentType),
    );
  const mustChange = job.status === "failed" && failsAgain(job.error_code);
  return (
    <>
      <Button variant={hasFiles && !mustChange ? "outline" : "default"} asChild>
        <Link
          href={`/dashboard/playground?from=${job.id}${canUnlock ? "&fix=1" : ""}`}
          data-verb="Open this job in the playground"
        >
          <FlaskConicalIcon aria-hidden="true" />
          {canUnlock ? "Enter the password" : "Open in playground"}
        </Link>
      </Button>
      {hasFiles && (
        <>
          <ConfirmDialog
            trigger={
              <Button variant="outline" disabled={busy} data-verb="Delete this job’s files">
                <Trash2Icon aria-hidden="true" />
                Delete files
              </Button>
            }
            title="Delete this job’s files?"
            description="Input and output files are deleted permanently. The job record is kept."
            confirm="Delete files"
            onConfirm={() => run(handlers.deleteFiles, "Files deleted")}
          />
          <Button
            variant={isDownloadable || mustChange ? "outline" : "default"}
            disabled={busy}
            data-verb={job.status === "completed" ? "Run this job again" : "Retry this job"}
            data-shortcut="r"
            onClick={() => run(handlers.retry, "Job started again")}
          >
            <RotateCwIcon aria-hidden="true" className={busy ? "animate-spin" : undefined} />
            {job.status === "completed" ? "Run again" : "Retry"}
          </Button>
          <ShareButton details={details} />
          {isDownloadable && <DownloadButton job={job} />}
        </>
      )}
    </>
  );
}

/** Downloads the output, or all outputs in an archive. */
function DownloadButton({ job: { id, outputs } }: { job: JobDetails["job"] }) {
  const [output] = outputs;
  const isOne = outputs.length === 1 && output !== undefined;
  return (
    <Button asChild>
      <a
        href={isOne ? output.url : `${jobsPath}/${id}/archive`}
        download={isOne ? output.filename : true}
        data-verb="Download the output"
      >
        <DownloadIcon aria-hidden="true" />
        {isOne ? "Download" : "Download all"}
      </a>
    </Button>
  );
}
