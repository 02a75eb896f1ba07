import { InboxIcon } from "lucide-react";
import type { Metadata } from "next";
import Form from "next/form";
import { formatDuration } from "#components/format.ts";
import { AnyoneJobTable } from "#components/operator/anyone-job-table.tsx";
import { Figures } from "#components/operator/figures.tsx";
import { OperatorHeader } from "#components/operator/operator-header.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Label } from "#components/ui/inputs/label.tsx";
import { requireOperator } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { maxReadJobs, readThroughput } from "#lib/db/queries/operator/operations.ts";
import {
  countQueuedJobs,
  findJobSummary,
  listFailedOfAnyone,
  listUnfinishedOfAnyone,
  type QueuedJobs,
} from "#lib/db/queries/operator/queue.ts";
import * as actions from "../actions.ts";
import { readText } from "../read-text.ts";

export const metadata: Metadata = { title: "Queue" };

interface QueuePageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function QueuePage({ searchParams }: QueuePageProps) {
  await requireOperator();
  const jobId = readText((await searchParams).job);
  const [queued, throughput, unfinished, failed, found] = await Promise.all([
    countQueuedJobs(db()),
    readThroughput(db()),
    listUnfinishedOfAnyone(db(), 50),
    listFailedOfAnyone(db(), { limit: 20, searched: maxReadJobs }),
    jobId ? findJobSummary(db(), jobId) : undefined,
  ]);
  const waiting = queued.filter(({ status }) => status === "pending");
  const processing = queued.filter(({ status }) => status === "processing");
  const oldest = Math.max(0, ...waiting.map(({ oldestSeconds }) => oldestSeconds));
  const { completed, failed: failedJobs, cancelled } = throughput;
  return (
    <>
      <OperatorHeader title="Queue" description="The jobs of all accounts." />
      <div className="grid grid-cols-1 gap-6">
        <Figures
          figures={[
            ["Pending", sumJobs(waiting)],
            ["Oldest pending job", waiting.length > 0 ? formatDuration(oldest * 1000) : "–"],
            ["Processing", sumJobs(processing)],
            [
              "Ended in the last hour",
              `${(completed + failedJobs + cancelled).toLocaleString("en")} (${failedJobs} failed)`,
            ],
          ]}
        />
        <Card aria-labelledby="by-plan" className="overflow-hidden">
          <CardHeader>
            <CardTitle id="by-plan">By plan and operation</CardTitle>
          </CardHeader>
          <CardContent className="px-0 pb-0">
            <DataTable
              label="Unfinished jobs by plan and operation"
              columns={columns}
              rows={queued.map((row) => ({ ...row, id: rowId(row) }))}
              empty={
                <EmptyState icon={InboxIcon} title="The queue is empty">
                  No job is pending or processing.
                </EmptyState>
              }
            />
          </CardContent>
        </Card>
        <Card aria-labelledby="find" className="overflow-hidden">
          <CardHeader>
            <CardTitle id="find">Find a job</CardTitle>
          </CardHeader>
          <CardContent>
            <search>
              <Form
                action="/dashboard/operator/queue"
                key={jobId ?? ""}
                className="flex flex-wrap items-end gap-3"
              >
                <div className="grid min-w-0 flex-1 gap-1.5">
                  <Label htmlFor="job">Job ID of any account</Label>
                  <Input
                    id="job"
                    name="job"
                    placeholder="job_…"
                    className="font-mono"
                    defaultValue={jobId ?? ""}
                  />
                </div>
                <Button type="submit" variant="outline">
                  Find
                </Button>
              </Form>
            </search>
          </CardContent>
          {jobId && (
            <AnyoneJobTable
              label="Job that was found"
              jobs={found ? [found] : []}
              actions={actions}
              empty={<p className="px-5 pb-5 text-sm">There is no job with this ID.</p>}
            />
          )}
        </Card>
        <Card aria-labelledby="unfinished" className="overflow-hidden">
          <CardHeader>
            <CardTitle id="unfinished">Oldest unfinished jobs</CardTitle>
          </CardHeader>
          <CardContent className="px-0 pb-0">
            <AnyoneJobTable
              label="Oldest unfinished jobs"
              jobs={unfinished}
              actions={actions}
              empty={<p className="px-5 pb-5 text-sm">No job is pending or processing.</p>}
            />
          </CardContent>
        </Card>
        <Card aria-labelledby="failed" className="overflow-hidden">
          <CardHeader>
            <CardTitle id="failed">Newest failed jobs</CardTitle>
          </CardHeader>
          <CardContent className="px-0 pb-0">
            <AnyoneJobTable
              label="Newest failed jobs"
              jobs={failed}
              actions={actions}
              empty={<p className="px-5 pb-5 text-sm">No recent job has failed.</p>}
            />
          </CardContent>
        </Card>
      </div>
    </>
  );
}

const columns: readonly Column<QueuedJobs & { readonly id: string }>[] = [
  { header: "Operation", cell: ({ operation }) => operation },
  { header: "Plan", className: "capitalize", cell: ({ plan }) => plan },
  { header: "Status", cell: ({ status }) => status },
  { header: "Jobs", align: "right", className: "tabular-nums", cell: ({ jobs }) => jobs },
  {
    header: "Oldest",
    align: "right",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ oldestSeconds }) => formatDuration(oldestSeconds * 1000),
  },
];

const rowId = ({ plan, operation, status }: QueuedJobs) => `${plan} ${operation} ${status}`;

function sumJobs(rows: readonly QueuedJobs[]): string {
  return rows.reduce((sum, { jobs }) => sum + jobs, 0).toLocaleString("en");
}
