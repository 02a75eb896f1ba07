import { FlaskConicalIcon } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { CodeBlock } from "#components/code/code-block.tsx";
import { SnippetTabs } from "#components/code/snippet-tabs.tsx";
import { requestSnippets } from "#components/code/snippets.ts";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { formatBytes, formatDuration } from "#components/format.ts";
import { DescriptionList, ValueList } from "#components/jobs/job-data.tsx";
import { opensInPlayground, toCurl, toOperationSnippet } from "#components/requests/logged-call.ts";
import { readRejection } from "#components/requests/rejected-field.ts";
import { RequestBadge } from "#components/requests/request-badge.tsx";
import { RequestError } from "#components/requests/request-error.tsx";
import { findFix } from "#components/requests/request-fix.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import type { ListedRequest } from "#lib/db/queries/requests/lists.ts";
import { env } from "#lib/env.ts";
import { readRequest } from "./read-request.ts";

interface RequestPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: RequestPageProps): Promise<Metadata> {
  const request = await readRequest((await params).id);
  return { title: request ? `${request.method} ${request.path}` : "Not found" };
}

export default async function RequestPage({ params }: RequestPageProps) {
  const request = await readRequest((await params).id);
  if (!request) notFound();
  const { id, method, path, status, errorCode, jobId, accountId, createdAt } = request;
  const { query = {}, fields = {}, files = [] } = request.params;
  const job = jobId === null ? undefined : await findJob(db(), accountId, jobId);
  const canOpen = opensInPlayground(request);
  const snippet = toOperationSnippet(request, env.APP_URL);
  const rejected = request.error === null ? undefined : readRejection(request.error).field;
  const hasFix = findFix(request) !== undefined;
  const from = job && canOpen ? `from=${job.id}` : `request=${id}`;
  return (
    <>
      <PageHeader
        parent={{ href: "/dashboard/requests", label: "Requests" }}
        title={<span title={path}>{`${method} ${path}`}</span>}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="flex items-center gap-1 font-mono text-xs break-all">
              {id}
              <CopyButton text={id} label="Copy ID" />
            </span>
            <RequestBadge status={status} errorCode={errorCode} />
          </span>
        }
        actions={
          canOpen && (
            <Button asChild variant={status >= 400 && !hasFix ? "default" : "outline"}>
              <Link
                href={`/dashboard/playground?${from}`}
                data-verb="Open this request in the playground"
              >
                <FlaskConicalIcon aria-hidden="true" />
                Open in playground
              </Link>
            </Button>
          )
        }
      />
      <div className="grid grid-cols-1 gap-6">
        <RequestError request={request} baseUrl={env.APP_URL} />
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Section title="Request">
            <DescriptionList
              rows={[
                [
                  "time",
                  <time key="time" dateTime={createdAt.toISOString()}>
                    {createdAt.toISOString()}
                  </time>,
                ],
                ["duration", `${formatDuration(request.durationMs)} until the response began`],
                ["key", <KeyName key="key" request={request} />],
                ["address", request.address ?? "Not known"],
                ["job", <JobLink key="job" id={jobId} exists={job !== undefined} />],
              ]}
            />
          </Section>
          <Section title="Parameters">
            <div className="grid gap-4">
              {Object.keys(query).length > 0 && (
                <ValueList values={query} empty="" rejected={rejected} />
              )}
              {(Object.keys(fields).length > 0 ||
                files.length + Object.keys(query).length === 0) && (
                <ValueList values={fields} empty="No parameters were read." rejected={rejected} />
              )}
              {files.length > 0 && (
                <DescriptionList
                  rows={files.map(({ field, filename, bytes }, index) => [
                    files.length > 1 ? `${field} ${index + 1}` : field,
                    `${filename}, ${bytes === null ? "not complete" : formatBytes(bytes)}`,
                  ])}
                />
              )}
              {files.length > 0 && !job && (
                <p className="text-sm text-muted-foreground">
                  The files of a rejected request are not kept. Choose them again in the playground.
                </p>
              )}
            </div>
          </Section>
        </div>
        <Section title="Request as code">
          {snippet ? (
            <SnippetTabs snippets={requestSnippets(snippet)} />
          ) : (
            <CodeBlock code={toCurl(request, env.APP_URL)} language="bash" />
          )}
        </Section>
      </div>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="min-w-0" aria-label={title}>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
      </CardHeader>
      <CardContent>{children}</CardContent>
    </Card>
  );
}

function KeyName({ request: { apiKeyId, keyName } }: { request: ListedRequest }) {
  return (
    <>
      {keyName ?? "Deleted key"}
      <span className="block font-mono text-xs break-all text-muted-foreground">{apiKeyId}</span>
    </>
  );
}

function JobLink({ id, exists }: { id: string | null; exists: boolean }) {
  if (id === null) return "None";
  if (!exists) return `${id} (does not exist)`;
  return (
    <Link
      href={`/dashboard/jobs/${id}`}
      prefetch={false}
      className="font-mono text-xs break-all text-brand underline underline-offset-4"
    >
      {id}
    </Link>
  );
}
