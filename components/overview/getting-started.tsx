"use client";

import { CheckIcon, XIcon } from "lucide-react";
import { type ReactNode, useEffect, useState, useTransition } from "react";
import { cn } from "#components/class-names.ts";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { useReauthentication } from "#components/forms/use-reauthentication.ts";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import { useLiveJobs } from "#components/jobs/list/use-live-jobs.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { firstRequest } from "#lib/api/endpoints/operations/first-request.ts";
import { createKey } from "#lib/auth/actions/api-keys.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { FirstResult } from "./first-result.tsx";
import { NextSteps } from "./next-steps.tsx";
import { forgetShownKey, keepShownKey, readShownKey } from "./shown-key.ts";

interface GettingStartedProps {
  readonly accountId: string;
  /** Whether the account has no completed job. */
  readonly isNew: boolean;
  /** What this browser has kept about the steps. */
  readonly saved: "open" | "dismissed" | undefined;
  /** The service's URL, without a trailing slash. */
  readonly appUrl: string;
  readonly hasKey: boolean;
  /** A job that the steps start with, if there is one. */
  readonly initial: readonly JobSummary[];
  /** Keeps the steps open, or closed, in this browser. */
  readonly keep: (state: "open" | "dismissed") => Promise<void>;
  readonly cancel: JobActionHandlers["cancel"];
}

/**
 * The text that the command shows until a key is created on this page. Existing keys cannot be
 * shown.
 */
const keyPlaceholder = "YOUR_API_KEY";

const includeAll = () => true;

/**
 * Three steps to the first output file. Each is marked as done automatically. They stay until the user dismisses
 * them, because the key that they show cannot be shown again.
 */
export function GettingStarted({ isNew, ...props }: GettingStartedProps) {
  const [isShown, setShown] = useState(
    props.saved === "open" || (isNew && props.saved !== "dismissed"),
  );
  if (!isShown) return null;
  function dismiss() {
    setShown(false);
    forgetShownKey();
    void props.keep("dismissed");
  }
  return <Steps {...props} onDismiss={dismiss} />;
}

type StepsProps = Omit<GettingStartedProps, "isNew"> & { readonly onDismiss: () => void };

function Steps(props: StepsProps) {
  const { accountId, saved, appUrl, hasKey, initial, keep, cancel, onDismiss } = props;
  const [apiKey, setApiKey] = useState(() => readShownKey(accountId));
  const [pending, start] = useTransition();
  const reauthenticated = useReauthentication();
  const [known] = useState(initial);
  const jobs = useLiveJobs(known, { includeNew: includeAll });
  // The first result stays, also when other jobs arrive.
  const job = jobs.findLast(({ status }) => status === "completed") ?? jobs[0];
  const isToKeep = job !== undefined && saved !== "open";
  useEffect(() => {
    if (isToKeep) void keep("open");
  }, [isToKeep, keep]);
  const command = firstRequest(appUrl, apiKey ?? keyPlaceholder);

  function createFirstKey() {
    start(async () => {
      const request = {
        name: "First steps",
        environment: "development",
        expiresInDays: null,
      } as const;
      const result = await reauthenticated(() => createKey(request)).catch(() => ({
        error: "The key could not be created. Try again.",
      }));
      if (!result) return;
      if ("apiKey" in result) {
        keepShownKey(accountId, result.apiKey);
        setApiKey(result.apiKey);
      } else toast.error(result.error);
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Get started</CardTitle>
          <CardDescription>Convert an HTML page to PDF in three steps.</CardDescription>
        </div>
        <Button variant="ghost" size="sm" onClick={onDismiss}>
          <XIcon aria-hidden="true" />
          Dismiss
        </Button>
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
              <FirstResult id={job.id} cancel={cancel} />
            )}
          </Step>
        </ol>
        {job?.status === "completed" && (
          <section aria-labelledby="next-calls" className="mt-8 grid min-w-0 gap-3 border-t pt-6">
            <h3 id="next-calls" className="font-medium">
              Continue with these calls
            </h3>
            <NextSteps appUrl={appUrl} apiKey={apiKey ?? keyPlaceholder} />
          </section>
        )}
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
