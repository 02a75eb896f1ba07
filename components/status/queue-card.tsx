import { formatDuration } from "#components/format.ts";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import type { QueueStatus } from "#lib/jobs/status/queue-status.ts";

/** How long jobs and webhooks wait now. The API works, as it has answered. */
export function QueueCard({ queue }: { queue: QueueStatus }) {
  const { oldest_job_seconds: job, oldest_webhook_seconds: webhook } = queue;
  return (
    <Card aria-labelledby="queue">
      <CardHeader>
        <CardTitle id="queue">API, queue and webhooks</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="grid gap-4 text-sm sm:grid-cols-3">
          <Fact name="API" text="Responds" />
          <Fact
            name="Jobs"
            text={job === 0 ? "None waits" : `The oldest has waited ${formatDuration(job * 1000)}`}
          />
          <Fact
            name="Webhooks"
            text={
              webhook === 0
                ? "None is late"
                : `The oldest has been due for ${formatDuration(webhook * 1000)}`
            }
          />
        </dl>
      </CardContent>
    </Card>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="mt-0.5 font-medium">{text}</dd>
    </div>
  );
}
