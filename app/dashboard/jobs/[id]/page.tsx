import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { SnippetTabs } from "#components/code/snippet-tabs.tsx";
import { requestSnippets } from "#components/code/snippets.ts";
import { toSnippetRequest } from "#components/jobs/job-request.ts";
import { JobView } from "#components/jobs/job-view.tsx";
import { WebhookCard } from "#components/jobs/webhook-card.tsx";
import { SharesCard } from "#components/share/shares-card.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { serializeShare } from "#lib/api/endpoints/shares/share-entry.ts";
import { db } from "#lib/db/client.ts";
import { listShares } from "#lib/db/queries/files/shares.ts";
import { findRequest } from "#lib/db/queries/requests/lists.ts";
import { listDeliveries } from "#lib/db/queries/webhooks/deliveries.ts";
import { env } from "#lib/env.ts";
import { serializeJobDetails } from "#lib/jobs/view/details.ts";
import { explainWait } from "#lib/jobs/view/wait-reason.ts";
import { cancelJob, deleteJobFiles, resendJobWebhook, retryJob } from "../actions.ts";
import { readJob } from "./read-job.ts";

interface JobPageProps {
  readonly params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: JobPageProps): Promise<Metadata> {
  const row = await readJob((await params).id);
  return { title: row ? `${row.operation}, ${row.status}` : "Not found" };
}

export default async function JobPage({ params }: JobPageProps) {
  const row = await readJob((await params).id);
  if (!row) notFound();
  const details = serializeJobDetails(row);
  const snippets = requestSnippets(toSnippetRequest(details, env.APP_URL));
  const deliveries = await listDeliveries(
    db(),
    row.accountId,
    { jobId: row.id, endpointId: null },
    { limit: 20, offset: 0 },
  );
  const request = await findRequest(db(), row.accountId, row.requestId);
  const shares = await listShares(db(), row.accountId, row.id);
  const now = new Date();
  const waitReason = await explainWait(db(), row, now);
  const handlers = { cancel: cancelJob, deleteFiles: deleteJobFiles, retry: retryJob };
  return (
    <JobView initial={details} now={now.getTime()} waitReason={waitReason} handlers={handlers}>
      {row.webhookUrl && (
        <WebhookCard
          url={row.webhookUrl}
          deliveries={deliveries}
          now={now}
          resend={resendJobWebhook}
        />
      )}
      {shares.length > 0 && <SharesCard shares={shares.map(serializeShare)} />}
      <Card className="min-w-0">
        <CardHeader>
          <div className="min-w-0">
            <CardTitle>Request as code</CardTitle>
            <CardDescription>
              Set <code>MEDIAMILL_API_KEY</code> to your API key to run this code.
            </CardDescription>
          </div>
          {request && (
            <Button asChild variant="outline" size="sm">
              <Link href={`/dashboard/requests/${request.id}`}>Show request</Link>
            </Button>
          )}
        </CardHeader>
        <CardContent>
          <SnippetTabs snippets={snippets} />
        </CardContent>
      </Card>
    </JobView>
  );
}
