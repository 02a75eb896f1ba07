"use client";

import { Share2Icon } from "lucide-react";
import { Button, type ButtonProps } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

interface ShareButtonProps extends Pick<ButtonProps, "variant" | "size"> {
  readonly details: JobDetails;
}

const load = () => import("./share-dialog.tsx").then((module) => module.ShareDialog);

/** The button that shares the result of a job; nothing if the job has no files to share. */
export function ShareButton({ details, variant = "outline", size }: ShareButtonProps) {
  const dialog = useLazyDialog(load);
  const { job, hasFiles, isExported } = details;
  if (job.status !== "completed" || !hasFiles || isExported || job.outputs.length === 0)
    return null;
  return (
    <>
      <Button
        variant={variant}
        {...(size === undefined ? {} : { size })}
        data-verb="Share this result"
        {...dialog.triggerProps}
      >
        <Share2Icon aria-hidden="true" />
        Share
      </Button>
      {dialog.Dialog && <dialog.Dialog details={details} {...dialog.dialogProps} />}
    </>
  );
}
