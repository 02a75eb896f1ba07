"use client";

import { BanIcon, DownloadIcon, RotateCwIcon, Trash2Icon, XIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { refreshReachable } from "#components/dashboard/refresh-reachable.ts";
import { describeFailure } from "#components/forms/describe-failure.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";

export const bulkVerbs = ["retry", "cancel", "delete"] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

export interface BulkResult {
  /** Jobs for which the action succeeded. */
  readonly done: number;
  /** Why it was rejected, for each of the others. */
  readonly errors: readonly string[];
}

export type RunBulkAction = (verb: BulkVerb, ids: readonly string[]) => Promise<BulkResult>;

interface BulkBarProps {
  /** The selected jobs: at least one. */
  readonly jobs: readonly JobSummary[];
  readonly run: RunBulkAction;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

const pastTense = { retry: "retried", cancel: "cancelled", delete: "deleted" } as const;

const countJobs = (count: number) => `${count} ${count === 1 ? "job" : "jobs"}`;

/** Records of jobs are never deleted, only their files. */
const subjectOf = (verb: BulkVerb, count: number) =>
  verb === "delete" ? `Files of ${countJobs(count)}` : countJobs(count);

/** What can be done with the selected jobs. An action applies to those whose status allows it. */
export function BulkBar({ jobs, run, onSelectAll, onClear }: BulkBarProps) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const ended = jobs.filter(isFinal);
  const open = jobs.filter((job) => !isFinal(job));
  const completed = jobs.filter(({ status }) => status === "completed");
  const zipQuery = new URLSearchParams(completed.map(({ id }) => ["job", id]));

  function start(verb: BulkVerb, chosen: readonly JobSummary[]) {
    startTransition(async () => {
      const ids = chosen.map(({ id }) => id);
      const failAll = (error: unknown): BulkResult => {
        const message = describeFailure(error);
        return { done: 0, errors: ids.map(() => message) };
      };
      const { done, errors } = await run(verb, ids).catch(failAll);
      const [error] = errors;
      if (done > 0) toast.success(`${subjectOf(verb, done)} ${pastTense[verb]}`);
      if (error) toast.error(`${subjectOf(verb, errors.length)} not ${pastTense[verb]}: ${error}`);
      if (errors.length === 0) onClear();
      await refreshReachable(router);
    });
  }

  return (
    <section
      aria-label="Selected jobs"
      data-bottom-bar=""
      className="sticky bottom-0 z-20 flex flex-wrap items-center gap-2 border-t bg-popover p-3"
    >
      <p role="status" className="mr-auto text-sm font-medium">
        {countJobs(jobs.length)} selected
      </p>
      <Button variant="ghost" size="sm" onClick={onSelectAll}>
        Select all on this page
      </Button>
      {ended.length > 0 && (
        <Button
          variant="outline"
          size="sm"
          disabled={busy}
          data-verb="Retry the selected jobs"
          data-shortcut="r"
          onClick={() => start("retry", ended)}
        >
          <RotateCwIcon aria-hidden="true" className={busy ? "animate-spin" : undefined} />
          Retry
        </Button>
      )}
      {open.length > 0 && (
        <ConfirmDialog
          trigger={
            <Button
              variant="outline"
              size="sm"
              disabled={busy}
              data-verb="Cancel the selected jobs"
            >
              <BanIcon aria-hidden="true" />
              Cancel
            </Button>
          }
          title={`Cancel ${countJobs(open.length)}?`}
          description="Processing stops immediately. You can retry the jobs."
          confirm="Cancel jobs"
          dismiss="Keep running"
          onConfirm={() => start("cancel", open)}
        />
      )}
      {ended.length > 0 && (
        <ConfirmDialog
          trigger={
            <Button
              variant="outline"
              size="sm"
              disabled={busy}
              data-verb="Delete the files of the selected jobs"
            >
              <Trash2Icon aria-hidden="true" />
              Delete files
            </Button>
          }
          title={`Delete the files of ${countJobs(ended.length)}?`}
          description="Input and output files are deleted permanently. The job records are kept."
          confirm="Delete files"
          onConfirm={() => start("delete", ended)}
        />
      )}
      {completed.length > 0 && (
        <Button asChild variant="outline" size="sm">
          <a
            href={`/dashboard/api/jobs/archive?${zipQuery}`}
            download
            data-verb="Download the selected jobs as ZIP"
          >
            <DownloadIcon aria-hidden="true" />
            Download ZIP
          </a>
        </Button>
      )}
      <Button variant="ghost" size="icon-sm" onClick={onClear}>
        <XIcon aria-hidden="true" />
        <span className="sr-only">Clear selection</span>
      </Button>
    </section>
  );
}
