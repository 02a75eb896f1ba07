"use client";

import { CheckIcon } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState, useTransition } from "react";
import { cn } from "#components/class-names.ts";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { StatusBadge } from "#components/jobs/status-badge.tsx";
import { useLiveJobs } from "#components/jobs/use-live-jobs.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { toast } from "#components/ui/toast.ts";
import { firstRequest } from "#lib/api/endpoints/operations/first-request.ts";
import { createKey } from "#lib/auth/actions/api-keys.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";

interface GettingStartedProps {
  /** The service's URL, without a trailing slash. */
  readonly appUrl: string;
  readonly hasKey: boolean;
  /** The account's newest jobs. */
  readonly initial: readonly JobSummary[];
}

/** Shown in the command until a key is created on this page. Existing keys cannot be shown. */
const keyPlaceholder = "YOUR_API_KEY";

const includeAll = () => true;

/** Three steps to the first output file. Each is marked as done automatically. */
export function GettingStarted({ appUrl, hasKey, initial }: GettingStartedProps) {
  const [apiKey, setApiKey] = useState<string>();
  const [pending, start] = useTransition();
  const [job] = useLiveJobs(initial, { includeNew: includeAll, limit: 1 });
  const command = firstRequest(appUrl, apiKey ?? keyPlaceholder);

  function createFirstKey() {
    start(async () => {
      const request = {
        name: "First steps",
        environment: "development",
        expiresInDays: null,
      } as const;
      const result = await createKey(request).catch(() => undefined);
      if (result && "apiKey" in result) setApiKey(result.apiKey);
      else toast.error(result?.error ?? "The key could not be created. Try again.");
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Get started</CardTitle>
          <CardDescription>Convert an HTML page to PDF in three steps.</CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        <ol className="grid gap-6">
          <Step number={1} title="Create an API key" done={hasKey || apiKey !== undefined}>
            {apiKey === undefined ? (
              <div className="flex flex-wrap items-center gap-3">
                <Button
                  onClick={createFirstKey}
                  disabled={pending}
                  variant={hasKey ? "outline" : "default"}
                >
                  {pending ? "Creating…" : hasKey ? "Create another key" : "Create key"}
                </Button>
                {hasKey && (
                  <p className="text-sm text-muted-foreground">
                    You already have a key. Use it in the command below, or create another.
                  </p>
                )}
              </div>
            ) : (
              <div className="flex flex-wrap items-center gap-2 text-sm">
                <code className="font-mono break-all">{apiKey}</code>
                <CopyButton text={apiKey} label="Copy key" />
                <p className="w-full text-muted-foreground">
                  Copy the key now. It is shown only once. The command below contains it.
                </p>
              </div>
            )}
          </Step>
          <Step number={2} title="Run this command" done={job !== undefined}>
            <CodeFrame code={command} wrap className="min-w-0">
              <code>{command}</code>
            </CodeFrame>
          </Step>
          <Step number={3} title="View the job" done={job?.status === "completed"}>
            {job === undefined ? (
              <p className="text-sm text-muted-foreground">The job appears here automatically.</p>
            ) : (
              <p className="flex flex-wrap items-center gap-3 text-sm">
                <StatusBadge status={job.status} progress={job.progress} />
                <Link href={`/dashboard/jobs/${job.id}`} className="text-brand underline">
                  {job.operation}
                </Link>
                {job.error}
              </p>
            )}
          </Step>
        </ol>
      </CardContent>
    </Card>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly done: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, done, children }: StepProps) {
  return (
    <li className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3 gap-y-2">
      <span
        aria-hidden="true"
        className={cn(
          "grid size-7 place-items-center rounded-full border text-sm font-medium tabular-nums",
          done ? "border-success bg-success text-background" : "border-input",
        )}
      >
        {done ? <CheckIcon className="size-4" /> : number}
      </span>
      <h3 className="self-center font-medium">
        {title}
        {done && <span className="sr-only"> (done)</span>}
      </h3>
      <div className="col-start-2 min-w-0">{children}</div>
    </li>
  );
}
