import Link from "next/link";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { DeliveryBadge } from "./delivery-badge.tsx";

interface DeliveryDetailsProps {
  readonly delivery: DeliveryRow;
  /** What every attempt has; a replay has the one of what it repeats. */
  readonly webhookId: string;
  readonly now: Date;
}

/** A delivery's status, job and URL. */
export function DeliveryDetails({ delivery, webhookId, now }: DeliveryDetailsProps) {
  const { jobId, endpointId, url, status, createdAt, nextAttemptAt } = delivery;
  const time = now.toISOString();
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-4 p-5 sm:grid-cols-2 lg:grid-cols-3">
        <Detail label="Status">
          <DeliveryBadge delivery={delivery} />
        </Detail>
        <Detail label="Created">
          <TimeAgo time={createdAt.toISOString()} now={time} />
        </Detail>
        <Detail label="Next attempt">
          {status === "pending" && nextAttemptAt ? (
            <TimeAgo time={nextAttemptAt.toISOString()} now={time} isPlanned />
          ) : (
            "None"
          )}
        </Detail>
        <Detail label="Job">
          {jobId ? (
            <Link
              href={`/dashboard/jobs/${jobId}`}
              prefetch={false}
              className="font-mono break-all text-brand underline underline-offset-4"
            >
              {jobId}
            </Link>
          ) : (
            "None"
          )}
        </Detail>
        <Detail label="webhook-id">
          <span className="font-mono break-all">{webhookId}</span>
          <CopyButton text={webhookId} label="Copy webhook-id" />
        </Detail>
        <Detail label="URL">
          {endpointId ? (
            <Link
              href={`/dashboard/webhooks/endpoints/${endpointId}`}
              prefetch={false}
              className="break-all text-brand underline underline-offset-4"
            >
              {url}
            </Link>
          ) : (
            <span className="break-all">{url}</span>
          )}
        </Detail>
      </dl>
    </Card>
  );
}

function Detail({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted-foreground">{label}</dt>
      <dd className="mt-1 flex min-h-8 items-center text-sm">{children}</dd>
    </div>
  );
}
