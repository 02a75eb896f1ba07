import Link from "next/link";
import { RefreshWhile } from "#components/dashboard/refresh-while.tsx";
import { formatDuration } from "#components/format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { DeliveryBadge } from "#components/webhooks/delivery-badge.tsx";
import { isDueSoon } from "#components/webhooks/due-soon.ts";
import { ResendButton } from "#components/webhooks/resend-button.tsx";
import type { SendResult } from "#components/webhooks/send/results.ts";
import type { DeliveryAttempt, DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";

interface WebhookCardProps {
  /** The job's `webhook_url`. */
  readonly url: string;
  /** The deliveries to this URL; empty until the job is final. */
  readonly deliveries: readonly DeliveryRow[];
  readonly now: Date;
  readonly resend: (id: string) => Promise<SendResult>;
}

/** The deliveries to a job's `webhook_url` and their attempts. */
export function WebhookCard({ url, deliveries, now, resend }: WebhookCardProps) {
  return (
    <Card className="min-w-0" aria-label="Webhook">
      <CardHeader>
        <div className="min-w-0">
          <CardTitle>Webhook</CardTitle>
          <CardDescription className="break-all">{url}</CardDescription>
        </div>
      </CardHeader>
      <RefreshWhile active={deliveries.some((delivery) => isDueSoon(delivery, now))} />
      <CardContent className="grid gap-6">
        {deliveries.length === 0 && (
          <p className="text-sm text-muted-foreground">
            The webhook is sent when the job finishes.
          </p>
        )}
        {deliveries.map((delivery) => (
          <div key={delivery.id} className="grid gap-4">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <DeliveryBadge delivery={delivery} />
              <Link
                href={`/dashboard/webhooks/${delivery.id}`}
                prefetch={false}
                className="text-sm text-brand underline underline-offset-4"
              >
                View delivery
              </Link>
              <span className="ml-auto">
                <ResendButton id={delivery.id} resend={resend} />
              </span>
            </div>
            <Attempts attempts={delivery.attempts} now={now.toISOString()} />
          </div>
        ))}
      </CardContent>
    </Card>
  );
}

function Attempts({ attempts, now }: { attempts: readonly DeliveryAttempt[]; now: string }) {
  if (attempts.length === 0) {
    return <p className="text-sm text-muted-foreground">The first attempt is in progress.</p>;
  }
  return (
    <ol aria-label="Attempts" className="divide-y border-y text-sm">
      {attempts.map(({ at, status, durationMs }, index) => (
        <li key={at} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 tabular-nums">
          <span className="text-muted-foreground">{index + 1}</span>
          <Badge variant={isSuccess(status) ? "success" : "destructive"}>
            {status ?? "No response"}
          </Badge>
          <span>{formatDuration(durationMs)}</span>
          <span className="ml-auto text-muted-foreground">
            <TimeAgo time={at} now={now} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
