"use client";

import { RefreshCwIcon } from "lucide-react";
import { useOptimistic, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";
import { toast } from "#components/ui/toast/toast.ts";

/** What the receiver responds. */
interface ReceiverResponse {
  readonly status: number;
  readonly delaySeconds: number;
}

interface ReceiverCardProps {
  readonly url: string;
  readonly response: ReceiverResponse;
  readonly statuses: readonly number[];
  readonly delays: readonly number[];
  /** The `Retry-After` of status 429, in seconds. */
  readonly retryAfter: number;
  readonly replaceUrl: () => Promise<void>;
  readonly setResponse: (status: number, delaySeconds: number) => Promise<void>;
}

/** The URL of the test receiver, and what it responds. */
export function ReceiverCard(props: ReceiverCardProps) {
  const { url, statuses, delays, retryAfter, replaceUrl, setResponse } = props;
  const [response, setOptimistic] = useOptimistic(props.response);
  const [pending, start] = useTransition();

  function change(changed: Partial<ReceiverResponse>) {
    const next = { ...response, ...changed };
    start(async () => {
      setOptimistic(next);
      await setResponse(next.status, next.delaySeconds).catch(() =>
        toast.error("The response could not be changed. Try again."),
      );
    });
  }

  function replace() {
    start(async () => {
      const replaced = await replaceUrl().then(
        () => true,
        () => false,
      );
      if (replaced) toast.success("The receiver has a new URL");
      else toast.error("The URL could not be replaced. Try again.");
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Your receiver's URL</CardTitle>
          <CardDescription>
            Use it as <code>webhook_url</code> of a job, or send to it from anywhere with POST or
            PUT. Webhooks of your account reach it even if this service runs on a private host.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="grid gap-5">
        <div className="flex min-w-0 items-center gap-1 rounded-md border border-input bg-background py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 font-mono text-sm break-all" data-testid="receiver-url">
            {url}
          </code>
          <CopyButton text={url} label="Copy URL" />
          <ConfirmDialog
            trigger={
              <Button variant="ghost" size="icon-sm" disabled={pending} title="Replace URL">
                <RefreshCwIcon />
                <span className="sr-only">Replace URL</span>
              </Button>
            }
            title="Replace the URL?"
            description="The receiver gets a new URL. The current one stops working at once, also for jobs that are still running. Received requests stay."
            confirm="Replace URL"
            onConfirm={replace}
          />
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="It responds with">
            {(control) => (
              <Select
                {...control}
                value={response.status}
                onChange={({ target }) => change({ status: Number(target.value) })}
              >
                {statuses.map((status) => (
                  <option key={status} value={status}>
                    {describeStatus(status, retryAfter)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Delay">
            {(control) => (
              <Select
                {...control}
                value={response.delaySeconds}
                onChange={({ target }) => change({ delaySeconds: Number(target.value) })}
              >
                {delays.map((seconds) => (
                  <option key={seconds} value={seconds}>
                    {describeDelay(seconds)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <p className="text-sm text-muted-foreground">{effectOf(response, retryAfter)}</p>
      </CardContent>
    </Card>
  );
}

const statusNames: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  400: "Bad Request",
  401: "Unauthorized",
  410: "Gone",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

function describeStatus(status: number, retryAfter: number): string {
  const name = `${status} ${statusNames[status] ?? ""}`;
  return status === 429 ? `${name}, Retry-After: ${retryAfter}` : name;
}

/** How long a webhook waits for a response, in seconds. */
const maxWaitSeconds = 15;

function describeDelay(seconds: number): string {
  if (seconds === 0) return "No delay";
  return `${seconds} seconds${seconds > maxWaitSeconds ? " (a timeout)" : ""}`;
}

function effectOf({ status, delaySeconds }: ReceiverResponse, retryAfter: number): string {
  if (delaySeconds > maxWaitSeconds) {
    return "Webhooks wait 15 seconds for a response: each attempt ends without one and is retried.";
  }
  if (status < 300) return "Webhooks count as delivered.";
  if (status === 410) return "Webhooks fail at once, because 410 stops the retries.";
  if (status === 429) return `Webhooks are retried after ${retryAfter} seconds, then less often.`;
  return "Webhooks are retried after 5 seconds, then less often.";
}
