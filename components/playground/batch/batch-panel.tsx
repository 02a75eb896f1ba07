"use client";

import { BanIcon, DownloadIcon } from "lucide-react";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { folderCommand } from "#components/code/snippets.ts";
import { formatBytes, formatDuration } from "#components/format.ts";
import { useNow } from "#components/jobs/use-now.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent } from "#components/ui/card.tsx";
import { Meter } from "#components/ui/meter.tsx";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";
import { type FilledForm, snippetOfForm } from "../steps/snippet-request.ts";
import { batchMetadata, totalsOf } from "./batch.ts";
import { BatchFailures } from "./batch-failures.tsx";
import { BatchGrid } from "./batch-grid.tsx";
import type { BatchRun } from "./use-batch.ts";

interface BatchPanelProps {
  readonly run: BatchRun;
  /** The form, for the same run as a command. */
  readonly form: FilledForm;
  readonly onCancel: () => void;
  /** Runs these files again with the form as it is now. */
  readonly onRetry: (indices: readonly number[]) => void;
}

/** What became of each file of a batch: totals, failures, and a grid that fills with results. */
export function BatchPanel({ run, form, onCancel, onRetry }: BatchPanelProps) {
  const { id, items, pause, startedAt, endedAt } = run;
  const request = snippetOfForm(form);
  const command = request ? folderCommand(request) : "";
  const totals = totalsOf(items);
  const isOpen = endedAt === undefined;
  const now = useNow(startedAt, isOpen);
  const ended = totals.files - totals.open;
  const counted = `${ended} of ${totals.files} files`;
  return (
    <Card aria-label="Result" className="min-w-0">
      <CardContent className="grid grid-cols-1 gap-6">
        <div className="grid gap-3">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 role="status" className="text-sm font-medium tabular-nums">
              {isOpen ? counted : summarize(totals)}
            </h2>
            <div className="flex flex-wrap gap-2">
              {totals.done > 0 && (
                <Button asChild variant={isOpen ? "outline" : "brand"} size="sm">
                  <a href={`/dashboard/api/jobs/archive?batch=${id}`} download>
                    <DownloadIcon aria-hidden="true" />
                    {isOpen ? `Download ${totals.done} as ZIP` : "Download all as ZIP"}
                  </a>
                </Button>
              )}
              {isOpen && (
                <Button variant="outline" size="sm" onClick={onCancel}>
                  <BanIcon aria-hidden="true" />
                  Cancel all
                </Button>
              )}
            </div>
          </div>
          {isOpen && <Meter label="Files" percent={(100 * ended) / totals.files} text={counted} />}
          {pause && <Pause message={pause.message} seconds={pause.seconds} />}
          <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-4">
            <Total name="Done" value={String(totals.done)} />
            <Total name="Failed" value={String(totals.failed)} />
            <Total
              name="Size"
              value={`${formatBytes(totals.bytesBefore)} → ${formatBytes(totals.bytesAfter)}`}
            />
            <Total name="Time" value={formatDuration((endedAt ?? now) - startedAt)} />
          </dl>
        </div>
        <PrefetchLink
          href={`/dashboard/jobs?metadata=${batchMetadata.batch}%3D${id}`}
          className="w-fit text-sm text-brand underline underline-offset-4"
        >
          Show these jobs as a list
        </PrefetchLink>
        <BatchFailures items={items} isOpen={isOpen} onRetry={onRetry} />
        <BatchGrid items={items} />
        <div className="grid min-w-0 gap-2">
          <p className="text-sm font-medium">The same for a folder, from the command line</p>
          <CodeFrame code={command} wrap>
            {command}
          </CodeFrame>
        </div>
      </CardContent>
    </Card>
  );
}

function summarize({ files, done, failed, cancelled }: ReturnType<typeof totalsOf>): string {
  if (done === files) return `All ${files} files are done`;
  const parts = [`${done} of ${files} files are done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (cancelled > 0) parts.push(`${cancelled} cancelled`);
  return parts.join(", ");
}

function Total({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="font-medium tabular-nums">{value}</dd>
    </div>
  );
}

function Pause({ message, seconds }: { message: string; seconds: number }) {
  return (
    <p role="status" className="rounded-lg border bg-secondary p-3 text-sm">
      {message.replaceAll("`", "")} Nothing is lost: sending goes on by itself after {seconds}{" "}
      {seconds === 1 ? "second" : "seconds"}.
    </p>
  );
}
