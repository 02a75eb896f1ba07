"use client";

import { BanIcon, FlaskConicalIcon, RotateCwIcon, Trash2Icon } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { isEnded } from "#components/dashboard/merge-jobs.ts";
import { ConfirmDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

/** What came of an act: a sentence where it was refused. */
interface Outcome {
  readonly error?: string;
  readonly jobId?: string;
}

/** The acts that a job's page offers, done on the server. */
export interface JobActs {
  readonly cancel: (id: string) => Promise<Outcome>;
  readonly remove: (id: string) => Promise<Outcome>;
  readonly runAgain: (id: string) => Promise<Outcome>;
}

interface JobActionsProps {
  readonly details: JobDetails;
  readonly acts: JobActs;
}

/** What can be done with a job in the state in which it is. */
export function JobActions({ details: { job, hasFiles }, acts }: JobActionsProps) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();

  function act(work: JobActs[keyof JobActs], done: string) {
    startTransition(async () => {
      const { error, jobId } = await work(job.id);
      if (error !== undefined) {
        toast.error(error);
        return;
      }
      toast.success(done);
      if (jobId === undefined) router.refresh();
      else router.push(`/dashboard/jobs/${jobId}`);
    });
  }

  if (!isEnded(job)) {
    return (
      <ConfirmDialog
        trigger={
          <Button variant="outline" disabled={busy}>
            <BanIcon aria-hidden="true" />
            Cancel
          </Button>
        }
        title="Cancel this job?"
        description="Its engine is stopped at once. It counts nothing of your plan, and can be run again."
        confirm="Cancel the job"
        onConfirm={() => act(acts.cancel, "The job is cancelled")}
      />
    );
  }
  return (
    <>
      {/* A chain is several operations, and the playground tries one. */}
      {job.operation.includes("/") && (
        <Button variant={hasFiles ? "outline" : "default"} asChild>
          <Link href={`/dashboard/playground?from=${job.id}`}>
            <FlaskConicalIcon aria-hidden="true" />
            Open in the playground
          </Link>
        </Button>
      )}
      {hasFiles && (
        <>
          <ConfirmDialog
            trigger={
              <Button variant="outline" disabled={busy}>
                <Trash2Icon aria-hidden="true" />
                Delete
              </Button>
            }
            title="Delete the files of this job?"
            description="Its input and its outputs are deleted at once, and for good. The record of the job stays."
            confirm="Delete the files"
            onConfirm={() => act(acts.remove, "The files are deleted")}
          />
          <Button disabled={busy} onClick={() => act(acts.runAgain, "Running again")}>
            <RotateCwIcon aria-hidden="true" className={busy ? "animate-spin" : undefined} />
            Run again
          </Button>
        </>
      )}
    </>
  );
}
