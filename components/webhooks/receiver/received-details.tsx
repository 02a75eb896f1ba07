"use client";

import Link from "next/link";
import { type ReactNode, useEffect, useState } from "react";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { formatBytes } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { formatBody, formatHeaders } from "../format-request.ts";
import type { DeliveryProgress, SendResult } from "../send/results.ts";
import { SendForm } from "../send/send-form.tsx";
import { describeResponse, type ReceivedContent, type ReceivedView } from "./received-view.ts";

/** What the page can do with a received request. */
export interface ReceivedActions {
  readonly read: (id: string) => Promise<ReceivedContent | undefined>;
  readonly replay: (id: string, url: string) => Promise<SendResult>;
  readonly readProgress: (id: string) => Promise<DeliveryProgress | undefined>;
}

interface ReceivedDetailsProps {
  readonly request: ReceivedView;
  readonly actions: ReceivedActions;
}

/** All of a received request. It is untrusted and shown as plain text. */
export function ReceivedDetails({ request, actions }: ReceivedDetailsProps) {
  const { id, signatureFault } = request;
  return (
    <div className="grid gap-5 border-t bg-muted/30 p-5">
      <p className="text-sm wrap-anywhere">
        {signatureFault ?? "The signature verifies with your signing secret."}
      </p>
      <Facts request={request} />
      <Content request={request} read={actions.read} />
      <section className="grid gap-3" aria-label="Replay">
        <div>
          <h3 className="font-medium">Replay</h3>
          <p className="mt-1 text-sm text-muted-foreground">
            Sends the same body and <code>webhook-id</code> to a public URL, newly signed.
          </p>
          {signatureFault !== null && (
            <p className="mt-1 text-sm text-warning">
              This request was not signed by this service. A replay signs it with your secret, so
              that its receiver trusts it: read it first.
            </p>
          )}
        </div>
        <SendForm
          label="Replay"
          send={(url) => actions.replay(id, url)}
          read={actions.readProgress}
        />
      </section>
    </div>
  );
}

function Facts({ request }: { readonly request: ReceivedView }) {
  const { at, sizeBytes, deliveryId, address } = request;
  return (
    <dl className="grid grid-cols-2 gap-4 text-sm lg:grid-cols-4">
      <Fact label="Received">{at.replace("T", " ").replace("Z", " UTC")}</Fact>
      <Fact label="From">
        {deliveryId ? (
          <Link
            href={`/dashboard/webhooks/${deliveryId}`}
            prefetch={false}
            className="text-brand underline underline-offset-4"
          >
            A delivery of yours
          </Link>
        ) : (
          (address ?? "Unknown")
        )}
      </Fact>
      <Fact label="Size">{formatBytes(sizeBytes)}</Fact>
      <Fact label="Response">{describeResponse(request)}</Fact>
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}

interface ContentProps {
  readonly request: ReceivedView;
  readonly read: ReceivedActions["read"];
}

function Content({ request: { id, sizeBytes }, read }: ContentProps) {
  const [tries, setTries] = useState(0);
  const [content, setContent] = useState<ReceivedContent | "loading" | "failed">("loading");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads again
  useEffect(() => {
    let isCurrent = true;
    read(id)
      .catch(() => undefined)
      .then((found) => {
        if (isCurrent) setContent(found ?? "failed");
      });
    return () => {
      isCurrent = false;
    };
  }, [id, read, tries]);
  if (content === "loading") return <Skeleton className="h-40 rounded-lg" />;
  if (content === "failed") {
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm" role="alert">
        This request could not be loaded. It may have been deleted.
        <Button variant="outline" size="sm" onClick={() => setTries(tries + 1)}>
          Try again
        </Button>
      </div>
    );
  }
  const { headers, body } = content;
  const lines = formatHeaders(headers);
  const isCut = new TextEncoder().encode(body).length < sizeBytes;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[2fr_3fr]">
      <CodeFrame code={lines} title="Headers" wrap className="min-w-0">
        {lines}
      </CodeFrame>
      {body === "" ? (
        <p className="text-sm text-muted-foreground">Empty body</p>
      ) : (
        <CodeFrame
          code={body}
          title={isCut ? "Body (first 64 KiB)" : "Body"}
          wrap
          className="min-w-0 [&_pre]:max-h-128"
        >
          {formatBody(body)}
        </CodeFrame>
      )}
    </div>
  );
}
