import type { ReceivedSummary } from "#lib/db/queries/webhooks/received.ts";
import type { ReceivedRequest } from "#lib/db/schema/receiver/received-requests.ts";

/** A received request in a list, as the events of the page send it. */
export type ReceivedView = Omit<ReceivedSummary, "at"> & {
  /** The time in RFC 3339. */
  readonly at: string;
};

/** What is loaded when a received request is opened. */
export type ReceivedContent = Pick<ReceivedRequest, "headers" | "body">;

/** What the receiver sent back: `200`, or what it would have sent to a sender that did not wait so long. */
export function describeResponse({
  responseStatus,
  isLate,
}: Pick<ReceivedView, "responseStatus" | "isLate">): string {
  return isLate ? `would have sent ${responseStatus}, too late` : String(responseStatus);
}

export function toView(summary: ReceivedSummary): ReceivedView {
  return { ...summary, at: summary.at.toISOString() };
}
