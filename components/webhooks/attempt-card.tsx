import { ChevronDownIcon } from "lucide-react";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { formatDuration } from "#components/format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { keptBodyLength, type WebhookRequest } from "#lib/db/queries/webhooks/requests.ts";
import type { DeliveryAttempt } from "#lib/db/schema/webhook-deliveries.ts";
import { formatBody, formatHeaders } from "./format-request.ts";

interface AttemptCardProps {
  /** The number of the attempt, from 1. */
  readonly number: number;
  readonly attempt: DeliveryAttempt;
  /** The request; undefined after its retention. */
  readonly request: WebhookRequest | undefined;
  readonly open: boolean;
}

/** One attempt with its request and response. Both are untrusted and shown as plain text. */
export function AttemptCard({ number, attempt, request, open }: AttemptCardProps) {
  const { at, status, durationMs, response } = attempt;
  const succeeded = status !== null && status >= 200 && status < 300;
  return (
    <Card>
      <details open={open} className="group">
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 p-5 text-sm">
          <h2 className="text-base font-semibold">Attempt {number}</h2>
          <Badge variant={succeeded ? "success" : "destructive"}>{status ?? "No response"}</Badge>
          <span className="tabular-nums">{formatDuration(durationMs)}</span>
          <LocalTime time={at} className="text-muted-foreground" />
          <ChevronDownIcon
            aria-hidden="true"
            className="ml-auto size-4 text-muted-foreground group-open:rotate-180"
          />
        </summary>
        <div className="grid grid-cols-1 gap-5 border-t p-5 lg:grid-cols-2">
          <section className="grid min-w-0 content-start gap-3" aria-label={`Request ${number}`}>
            <h3 className="font-medium">Request</h3>
            {request ? <SentRequest request={request} /> : <RequestDeleted />}
          </section>
          <section className="grid min-w-0 content-start gap-3" aria-label={`Response ${number}`}>
            <h3 className="font-medium">{status === null ? "Error" : "Response"}</h3>
            {response === "" ? (
              <p className="text-sm text-muted-foreground">Empty body</p>
            ) : (
              <CodeFrame
                code={response}
                wrap
                {...(status === null ? {} : { title: "Body (first 1 KiB)" })}
              >
                {response}
              </CodeFrame>
            )}
          </section>
        </div>
      </details>
    </Card>
  );
}

function SentRequest({ request: { headers, body } }: { readonly request: WebhookRequest }) {
  const lines = formatHeaders(headers);
  return (
    <>
      <CodeFrame code={lines} title="Headers" wrap>
        {lines}
      </CodeFrame>
      <CodeFrame
        code={body}
        title={body.length < keptBodyLength ? "Body" : "Body (first 64 KiB)"}
        wrap
      >
        {formatBody(body)}
      </CodeFrame>
    </>
  );
}

function RequestDeleted() {
  return <p className="text-sm text-muted-foreground">Requests are kept for 30 days.</p>;
}
