import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CodeTabs } from "#components/code/code-tabs.tsx";
import { requestSnippets } from "#components/code/snippets.ts";
import { requestOf } from "#components/jobs/job-request.ts";
import { JobView } from "#components/jobs/job-view.tsx";
import { WebhookCard } from "#components/jobs/webhook-card.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { db } from "#lib/db/client.ts";
import { listDeliveries } from "#lib/db/queries/webhooks/deliveries.ts";
import { env } from "#lib/env.ts";
import { serializeJobDetails } from "#lib/jobs/view/details.ts";
import { cancelJob, deleteJob, runAgain, sendAgain } from "../actions.ts";
import { readOwnJob } from "./own-job.ts";

interface JobPageProps {
  readonly params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: JobPageProps): Promise<Metadata> {
  const row = await readOwnJob((await params).id);
  return { title: row ? `${row.operation}, ${row.status}` : "Not found" };
}

export default async function JobPage({ params }: JobPageProps) {
  const row = await readOwnJob((await params).id);
  if (!row) notFound();
  const details = serializeJobDetails(row);
  const snippets = requestSnippets(requestOf(details, env.APP_URL));
  const deliveries = await listDeliveries(db(), row.accountId, row.id, { limit: 20, offset: 0 });
  const now = new Date();
  const acts = { cancel: cancelJob, remove: deleteJob, runAgain };
  return (
    <JobView initial={details} now={now.getTime()} acts={acts}>
      {row.webhookUrl && (
        <WebhookCard url={row.webhookUrl} deliveries={deliveries} now={now} sendAgain={sendAgain} />
      )}
      <Card className="min-w-0">
        <CardHeader>
          <div>
            <CardTitle>The request as code</CardTitle>
            <CardDescription>
              Runs as it is, with your key in <code>MEDIAMILL_API_KEY</code>.
            </CardDescription>
          </div>
        </CardHeader>
        <CardContent>
          <CodeTabs snippets={snippets} />
        </CardContent>
      </Card>
    </JobView>
  );
}
