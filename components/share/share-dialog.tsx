"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { ShareEntry } from "#lib/api/endpoints/shares/share-entry.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { listShares } from "./api.ts";
import { ShareForm } from "./share-form.tsx";
import { ShareList } from "./share-list.tsx";

interface ShareDialogProps extends LazyDialogProps {
  readonly details: JobDetails;
}

/** Makes a public page of a result, and lists those that there are. */
export function ShareDialog({ details, open, onOpenChange, onCloseAutoFocus }: ShareDialogProps) {
  const { id } = details.job;
  const [shares, setShares] = useState<readonly ShareEntry[]>([]);
  const [created, setCreated] = useState<string>();
  const router = useRouter();
  useEffect(() => {
    if (!open) return;
    const controller = new AbortController();
    listShares(id, controller.signal)
      .then(setShares)
      // The form works without the list.
      .catch(() => {});
    return () => controller.abort();
  }, [open, id]);

  function changeOpen(isOpen: boolean) {
    onOpenChange(isOpen);
    if (isOpen) return;
    setCreated(undefined);
    // The job's page lists its shares, too.
    router.refresh();
  }

  return (
    <Dialog open={open} onOpenChange={changeOpen}>
      <DialogContent onCloseAutoFocus={onCloseAutoFocus}>
        <DialogHeader>
          <DialogTitle>Share this result</DialogTitle>
          <DialogDescription>
            Anyone with the link sees the files, their sizes, the operation and its parameters.
            Nothing of your account is on the page, and search engines do not list it.
          </DialogDescription>
        </DialogHeader>
        {shares.length > 0 && (
          <ShareList
            shares={shares}
            focused={created}
            onRevoked={(revoked) => setShares(shares.filter((share) => share.id !== revoked))}
          />
        )}
        <ShareForm
          details={details}
          isFirst={shares.length === 0}
          onCreated={(share) => {
            setShares([share, ...shares]);
            setCreated(share.id);
          }}
        />
      </DialogContent>
    </Dialog>
  );
}
