import { JobError } from "#lib/errors.ts";
import { networkFor } from "#lib/net/network.ts";
import { type StreamedRequest, sendStream } from "#lib/net/send.ts";
import { currentTrace } from "#lib/tracing/spans.ts";
import type { GotenbergSettings } from "../base/settings.ts";
import { attachmentHeader, type Delivery } from "../run/deliver.ts";
import type { Webhook } from "./read-webhook.ts";

/** What identifies a request in all that is sent about it. */
export interface Correlation {
  readonly header: string;
  readonly id: string;
  /** The trace of the request, if it names one. */
  readonly traceparent?: string | undefined;
}

/** A request to a receiver, whose body is opened for each attempt. */
export type WebhookRequest = Omit<StreamedRequest, "timeoutMs">;

/** The request with the result. */
export function resultRequest(
  { url, method, headers }: Webhook,
  { filename, contentType, open, bytes }: Delivery,
  correlation: Correlation,
): WebhookRequest {
  const sent = {
    "content-disposition": attachmentHeader(filename),
    ...headers,
    "content-type": contentType,
    ...correlationHeaders(correlation),
  };
  return { url, method, headers: sent, open, bytes };
}

/** A request with JSON: an error or an event. */
export function jsonRequest(
  { headers }: Webhook,
  { url, method }: Pick<WebhookRequest, "url" | "method">,
  value: object,
  correlation: Correlation,
): WebhookRequest {
  const body = Buffer.from(JSON.stringify(value));
  const sent = {
    ...headers,
    "content-type": "application/json",
    ...correlationHeaders(correlation),
  };
  return { url, method, headers: sent, open: async () => body, bytes: body.length };
}

function correlationHeaders({ header, id, traceparent }: Correlation): Record<string, string> {
  return { [header.toLowerCase()]: id, ...(traceparent ? { traceparent } : {}) };
}

/** Undefined if the receiver accepted it; else why not, and whether it may do so later. */
export type AttemptFailure = { readonly error: unknown; readonly isTemporary: boolean } | undefined;

/** Sends a request once. Connection errors, 429 and 5xx are temporary. */
export async function attemptWebhook(
  request: WebhookRequest,
  { webhooks: { timeoutMs } }: GotenbergSettings,
): Promise<AttemptFailure> {
  const headers = { "user-agent": "Gotenberg", ...request.headers, ...currentTrace() };
  try {
    const status = await sendStream({ ...request, headers, timeoutMs }, networkFor("webhooks"));
    if (status < 400) return undefined;
    const error = new Error(`the receiver responded with ${status}`);
    return { error, isTemporary: status === 429 || status >= 500 };
  } catch (error) {
    return { error, isTemporary: error instanceof JobError && error.code !== "address_refused" };
  }
}
