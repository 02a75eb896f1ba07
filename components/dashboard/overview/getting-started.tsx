"use client";

import { CheckIcon } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState, useTransition } from "react";
import { cn } from "#components/class-names.ts";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { toast } from "#components/ui/toast.ts";
import { firstRequest } from "#lib/api/first-request.ts";
import { createKey } from "#lib/auth/actions/api-keys.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { StatusBadge } from "../status-badge.tsx";
import { useLiveJobs } from "../use-live-jobs.ts";

interface GettingStartedProps {
  /** Of the service, without a slash at the end. */
  readonly appUrl: string;
  readonly hasKey: boolean;
  /** The account's newest jobs. */
  readonly initial: readonly JobSummary[];
}

/** Stands in the request until a key is made on this page, which alone knows it whole. */
const unknownKey = "YOUR_API_KEY";

const admitAll = () => true;

/** Three steps to the first file; each ticks itself off. */
export function GettingStarted({ appUrl, hasKey, initial }: GettingStartedProps) {
  const [apiKey, setApiKey] = useState<string>();
  const [pending, start] = useTransition();
  const [job] = useLiveJobs(initial, { admit: admitAll, limit: 1 });
  const request = firstRequest(appUrl, apiKey ?? unknownKey);

  function makeKey() {
    start(async () => {
      const wish = {
        name: "First steps",
        environment: "development",
        expiresInDays: null,
      } as const;
      const answer = await createKey(wish).catch(() => undefined);
      if (answer && "apiKey" in answer) setApiKey(answer.apiKey);
      else toast.error(answer?.error ?? "The key could not be created; please try again.");
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Your first file in three steps</CardTitle>
          <CardDescription>A page of HTML becomes a PDF.</CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        <ol className="grid gap-6">
          <Step number={1} title="Create an API key" done={hasKey || apiKey !== undefined}>
            {apiKey === undefined ? (
              <div className="flex flex-wrap items-center gap-3">
                <Button
                  onClick={makeKey}
                  disabled={pending}
                  variant={hasKey ? "outline" : "default"}
                >
                  {pending ? "Creating …" : hasKey ? "Create another key" : "Create a key"}
                </Button>
                {hasKey && (
                  <p className="text-sm text-muted-foreground">
                    You have one. Put it into the request below, or create another.
                  </p>
                )}
              </div>
            ) : (
              <div className="flex flex-wrap items-center gap-2 text-sm">
                <code className="font-mono break-all">{apiKey}</code>
                <CopyButton text={apiKey} label="Copy the key" />
                <p className="w-full text-muted-foreground">
                  Keep it: it is shown this once. It already stands in the request below.
                </p>
              </div>
            )}
          </Step>
          <Step number={2} title="Paste this into a shell" done={job !== undefined}>
            <CodeFrame code={request} wrap className="min-w-0">
              <code>{request}</code>
            </CodeFrame>
          </Step>
          <Step number={3} title="See the job arrive" done={job?.status === "completed"}>
            {job === undefined ? (
              <p className="text-sm text-muted-foreground">
                It appears here by itself; there is no need to load the page again.
              </p>
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
