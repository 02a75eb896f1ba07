"use client";

import { ChevronDownIcon, InboxIcon, SendIcon, Trash2Icon } from "lucide-react";
import dynamic from "next/dynamic";
import { useId, useState, useTransition } from "react";
import { formatBytes } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardDescription, CardFooter, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NotLoaded } from "#components/ui/loading/lazy-part.tsx";
import { loadOr } from "#components/ui/loading/load-or.ts";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { DeliveryType } from "#lib/db/schema/event-types.ts";
import type { SendResult } from "../send/results.ts";
import type { ReceivedActions } from "./received-details.tsx";
import { describeResponse, type ReceivedView } from "./received-view.ts";
import { SignatureBadge } from "./signature-badge.tsx";
import { useReceivedRequests } from "./use-received-requests.ts";

const ReceivedDetails = dynamic(() =>
  loadOr(
    () => import("./received-details.tsx").then((module) => module.ReceivedDetails),
    NotLoaded,
  ),
);

interface ReceivedListProps {
  /** The requests as the server rendered the page, newest first. */
  readonly initial: readonly ReceivedView[];
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
  /** How many requests are kept, and for how many days. */
  readonly kept: { readonly requests: number; readonly days: number };
  readonly actions: ReceivedActions;
  readonly sendSample: (type: DeliveryType) => Promise<SendResult>;
  readonly clear: () => Promise<void>;
}

/** A long list would hide what comes below it. */
const shownAtFirst = 20;

/** The requests that the test receiver got, live. */
export function ReceivedList({
  initial,
  now,
  kept,
  actions,
  sendSample,
  clear,
}: ReceivedListProps) {
  const requests = useReceivedRequests(initial);
  const [showsAll, setShowsAll] = useState(false);
  const [pending, start] = useTransition();
  const shown = showsAll ? requests : requests.slice(0, shownAtFirst);

  function run(action: () => Promise<unknown>, failure: string) {
    start(async () => {
      await action().catch(() => toast.error(failure));
    });
  }

  return (
    <Card aria-label="Received requests">
      <CardHeader className="pb-4">
        <div>
          <CardTitle>Received requests</CardTitle>
          <CardDescription>
            They appear here at once. The newest {kept.requests} are kept, for {kept.days} days.
          </CardDescription>
        </div>
        {requests.length > 0 && (
          <ConfirmDialog
            trigger={
              <Button variant="outline" size="sm" disabled={pending}>
                <Trash2Icon />
                Clear
              </Button>
            }
            title="Delete the received requests?"
            description="All requests in this list are deleted. Deliveries and their attempts stay."
            confirm="Delete requests"
            onConfirm={() => run(clear, "The requests could not be deleted. Try again.")}
          />
        )}
      </CardHeader>
      <p className="sr-only" role="status">
        {requests.length === 1 ? "1 request" : `${requests.length} requests`}
      </p>
      {requests.length === 0 ? (
        <EmptyState
          icon={InboxIcon}
          title="Nothing received yet"
          action={
            <Button
              disabled={pending}
              onClick={() =>
                run(() => sendSample("job.completed"), "The sample could not be sent. Try again.")
              }
            >
              <SendIcon />
              {pending ? "Sending…" : "Send a sample"}
            </Button>
          }
        >
          Send a signed sample now, or start a job with this URL as <code>webhook_url</code>. Every
          request is listed here with its headers, its body and whether its signature verifies.
        </EmptyState>
      ) : (
        <ul className="border-t">
          {shown.map((request) => (
            <ReceivedItem key={request.id} request={request} now={now} actions={actions} />
          ))}
        </ul>
      )}
      {shown.length < requests.length && (
        <CardFooter>
          <Button variant="outline" size="sm" onClick={() => setShowsAll(true)}>
            Show all {requests.length}
          </Button>
        </CardFooter>
      )}
    </Card>
  );
}

interface ReceivedItemProps {
  readonly request: ReceivedView;
  readonly now: string;
  readonly actions: ReceivedActions;
}

function ReceivedItem({ request, now, actions }: ReceivedItemProps) {
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const { method, event, signatureFault, sizeBytes, at } = request;
  return (
    <li className="border-b last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full cursor-pointer flex-wrap items-center gap-x-3 gap-y-1.5 px-5 py-3 text-left text-sm hover:bg-muted/50"
      >
        <ChevronDownIcon
          aria-hidden="true"
          className={`size-4 shrink-0 text-muted-foreground ${isOpen ? "rotate-180" : ""}`}
        />
        <span className="font-mono text-xs text-muted-foreground">{method}</span>
        <span className="min-w-0 flex-1 truncate font-medium">{event ?? "No event type"}</span>
        <SignatureBadge fault={signatureFault} />
        <span className="flex w-full flex-wrap items-center gap-x-3 pl-7 whitespace-nowrap text-muted-foreground tabular-nums sm:w-auto sm:pl-0">
          <span>
            <span className="sr-only">Response </span>
            <span aria-hidden="true">→ </span>
            {describeResponse(request)}
          </span>
          <span className="sm:min-w-16 sm:text-right">{formatBytes(sizeBytes)}</span>
          <span className="sm:min-w-28 sm:text-right">
            <TimeAgo time={at} now={now} />
          </span>
        </span>
      </button>
      {isOpen && (
        <div id={panel}>
          <ReceivedDetails request={request} actions={actions} />
        </div>
      )}
    </li>
  );
}
