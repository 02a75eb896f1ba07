"use client";

import { ExternalLinkIcon } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { ShareEntry } from "#lib/api/endpoints/shares/share-entry.ts";
import { revokeShare } from "./api.ts";

interface ShareListProps {
  readonly shares: readonly ShareEntry[];
  /** The id of the share that was just made. */
  readonly focused?: string | undefined;
  /** Whether each has a link to its job. */
  readonly linksJobs?: boolean;
  readonly onRevoked: (id: string) => void;
}

/** Links to results, each with a button that ends it. */
export function ShareList({ shares, focused, linksJobs = false, onRevoked }: ShareListProps) {
  return (
    <ul aria-label="Links" className="divide-y border-y text-sm">
      {shares.map((share) => (
        <ShareItem
          key={share.id}
          share={share}
          isNew={share.id === focused}
          linksJob={linksJobs}
          onRevoked={onRevoked}
        />
      ))}
    </ul>
  );
}

interface ShareItemProps {
  readonly share: ShareEntry;
  readonly isNew: boolean;
  readonly linksJob: boolean;
  readonly onRevoked: (id: string) => void;
}

function ShareItem({ share, isNew, linksJob, onRevoked }: ShareItemProps) {
  const { id, url, title, job_id: jobId, expires_at: expiresAt } = share;
  const [isPending, setPending] = useState(false);
  const shown = url.replace(/^https?:\/\//, "");

  async function revoke() {
    if (isPending) return;
    setPending(true);
    try {
      await revokeShare(id);
      toast.success("Link revoked");
      onRevoked(id);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "The link could not be revoked.");
      setPending(false);
    }
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex min-w-0 items-center gap-1">
          <a
            href={url}
            target="_blank"
            rel="noopener"
            // A new link takes the focus, so that a keyboard reaches it at once.
            ref={isNew ? (link) => link?.focus() : undefined}
            className="flex min-w-0 items-center gap-1 underline underline-offset-4"
          >
            <span className="truncate">{title ?? shown}</span>
            <ExternalLinkIcon aria-hidden="true" className="size-3.5 shrink-0" />
            <span className="sr-only">(opens in a new tab)</span>
          </a>
          <CopyButton text={url} label="Copy link" />
        </p>
        <p className="text-muted-foreground">
          until <LocalTime time={expiresAt} />
          {share.with_input ? ", with the input" : ", without the input"}
          {linksJob && (
            <>
              {", "}
              <Link href={`/dashboard/jobs/${jobId}`} className="underline underline-offset-4">
                job
              </Link>
            </>
          )}
        </p>
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-disabled={isPending}
        aria-label={`Revoke the link ${title ?? shown}`}
        onClick={revoke}
      >
        {isPending ? "Revoking…" : "Revoke"}
      </Button>
    </li>
  );
}
