import { ChevronDownIcon } from "lucide-react";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { formatDuration, formatTime } from "#components/format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { keptBodyLength, type WebhookRequest } from "#lib/db/queries/webhooks/requests.ts";
import type { DeliveryAttempt } from "#lib/db/schema/webhook-deliveries.ts";

interface AttemptCardProps {
  /** From 1. */
  readonly number: number;
  readonly attempt: DeliveryAttempt;
  /** What was sent; undefined once it is no longer kept. */
  readonly request: WebhookRequest | undefined;
  readonly open: boolean;
}

/** One attempt: what was sent, and what came back. Both are foreign text, and shown as such. */
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
          <time dateTime={at} className="text-muted-foreground">
            {formatTime(new Date(at))}
          </time>
          <ChevronDownIcon
            aria-hidden="true"
            className="ml-auto size-4 text-muted-foreground group-open:rotate-180"
          />
        </summary>
        <div className="grid grid-cols-1 gap-5 border-t p-5 lg:grid-cols-2">
          <section className="grid min-w-0 content-start gap-3" aria-label={`Request ${number}`}>
            <h3 className="font-medium">Request</h3>
            {request ? <SentRequest request={request} /> : <Gone />}
          </section>
          <section className="grid min-w-0 content-start gap-3" aria-label={`Response ${number}`}>
            <h3 className="font-medium">
              {status === null ? "Why there was no response" : "Response"}
            </h3>
            {response === "" ? (
              <p className="text-sm text-muted-foreground">Its body was empty.</p>
            ) : (
              <CodeFrame
                code={response}
                wrap
                {...(status === null ? {} : { title: "Body, the first 1 KiB" })}
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
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  return (
    <>
      <CodeFrame code={lines.join("\n")} title="Headers" wrap>
        {lines.join("\n")}
      </CodeFrame>
      <CodeFrame
        code={body}
        title={body.length < keptBodyLength ? "Body" : "Body, the first 16 KiB"}
        wrap
      >
        {indent(body)}
      </CodeFrame>
    </>
  );
}

function Gone() {
  return <p className="text-sm text-muted-foreground">What was sent is kept for thirty days.</p>;
}

/** JSON with line breaks for people; copied is what was sent, which alone fits its signature. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body; // cut off
  }
}
