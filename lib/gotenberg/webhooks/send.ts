import { setTimeout as wait } from "node:timers/promises";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { networkFor } from "#lib/net/network.ts";
import { type StreamedRequest, sendStream } from "#lib/net/send.ts";
import { currentTrace } from "#lib/tracing/spans.ts";
import { GotenbergError, statusError } from "./base/errors.ts";
import { parseJson } from "./base/go-values.ts";
import { type GotenbergSettings, isAllowedUrl } from "./base/settings.ts";
import { attachmentHeader, type Delivery } from "./run/deliver.ts";

/** Where the result of a request is sent to, as its headers say. */
export interface Webhook {
  readonly url: string;
  readonly method: Method;
  readonly errorUrl: string;
  readonly errorMethod: Method;
  readonly eventsUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Method = "POST" | "PUT" | "PATCH";

/** Undefined if the request wants none. Throws `GotenbergError`. */
export function readWebhook(
  headers: Headers,
  { webhooks: rules }: GotenbergSettings,
): Webhook | undefined {
  const url = headers.get("gotenberg-webhook-url");
  if (!url || rules.isDisabled) return undefined;
  const errorUrl = headers.get("gotenberg-webhook-error-url") ?? "";
  const eventsUrl = headers.get("gotenberg-webhook-events-url") ?? "";
  if (!errorUrl && !eventsUrl) {
    throw new GotenbergError(
      400,
      "At least one of 'Gotenberg-Webhook-Error-Url' or 'Gotenberg-Webhook-Events-Url' headers must be provided",
    );
  }
  const { guard } = networkFor("webhooks");
  for (const one of [url, errorUrl, eventsUrl]) {
    if (one === "") continue;
    const parsed = URL.parse(one);
    const isRefused = !parsed || guard.findObstacle(parsed, "webhooks") !== undefined;
    if (isRefused || !isAllowedUrl(one, rules)) throw statusError(403);
  }
  return {
    url,
    method: readMethod(headers, "Gotenberg-Webhook-Method"),
    errorUrl,
    errorMethod: readMethod(headers, "Gotenberg-Webhook-Error-Method"),
    eventsUrl,
    headers: readExtraHeaders(headers.get("gotenberg-webhook-extra-http-headers")),
  };
}

function readMethod(headers: Headers, name: string): Method {
  const method = (headers.get(name) || "POST").toUpperCase();
  if (method === "POST" || method === "PUT" || method === "PATCH") return method;
  throw new GotenbergError(
    400,
    `Invalid '${name}' header value: expected 'POST', 'PATCH' or 'PUT', but got '${method}'`,
  );
}

function readExtraHeaders(text: string | null): Record<string, string> {
  if (!text) return {};
  const fail = (problem: string) =>
    new GotenbergError(
      400,
      `Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header value: ${problem}`,
    );
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw fail(error instanceof Error ? error.message : "");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw fail("json: cannot unmarshal value into Go value of type map[string]string");
  }
  // A header with another character could not be sent.
  const entries = Object.entries(value).filter(
    ([name, one]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(String(one)),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name.toLowerCase(), String(one)]));
}

/** What identifies a request in all that is sent about it. */
export interface Correlation {
  readonly header: string;
  readonly id: string;
  /** The trace of the request, if it names one. */
  readonly traceparent?: string | undefined;
}

/** Sends the result, then the event. Returns the error if the receiver did not accept it. */
export async function sendResult(
  webhook: Webhook,
  delivery: Delivery,
  correlation: Correlation,
  settings: GotenbergSettings,
): Promise<unknown> {
  const headers = {
    "content-disposition": attachmentHeader(delivery.filename),
    ...webhook.headers,
    "content-type": delivery.contentType,
    ...correlationHeaders(correlation),
  };
  try {
    await sendWithRetries(
      {
        url: webhook.url,
        method: webhook.method,
        headers,
        open: delivery.open,
        bytes: delivery.bytes,
      },
      settings,
    );
  } catch (error) {
    log.warn({ err: error, trace: correlation.id }, "webhook of Gotenberg's API was not delivered");
    return error;
  }
  await sendEvent(webhook, correlation, settings, { event: "webhook.success" });
  return undefined;
}

export async function sendError(
  webhook: Webhook,
  { status, message }: GotenbergError,
  correlation: Correlation,
  settings: GotenbergSettings,
): Promise<void> {
  const error = { status, message };
  const { errorUrl: url, errorMethod: method } = webhook;
  if (url) await sendJson(webhook, { url, method, value: error }, correlation, settings);
  await sendEvent(webhook, correlation, settings, { event: "webhook.error", error });
}

async function sendEvent(
  webhook: Webhook,
  correlation: Correlation,
  settings: GotenbergSettings,
  { event, ...more }: { readonly event: string; readonly error?: object },
): Promise<void> {
  if (!webhook.eventsUrl) return;
  const timestamp = new Date().toISOString();
  const value = { event, correlationId: correlation.id, timestamp, ...more };
  await sendJson(webhook, { url: webhook.eventsUrl, method: "POST", value }, correlation, settings);
}

async function sendJson(
  { headers: extra }: Webhook,
  { url, method, value }: { readonly url: string; readonly method: Method; readonly value: object },
  correlation: Correlation,
  settings: GotenbergSettings,
): Promise<void> {
  const body = Buffer.from(JSON.stringify(value));
  const headers = {
    ...extra,
    "content-type": "application/json",
    ...correlationHeaders(correlation),
  };
  try {
    const open = async () => body;
    await sendWithRetries({ url, method, headers, open, bytes: body.length }, settings);
  } catch (error) {
    log.warn({ err: error, trace: correlation.id }, "event of Gotenberg's API was not delivered");
  }
}

function correlationHeaders({ header, id, traceparent }: Correlation): Record<string, string> {
  return { [header.toLowerCase()]: id, ...(traceparent ? { traceparent } : {}) };
}

type Sending = Omit<StreamedRequest, "body" | "timeoutMs"> & {
  readonly open: () => Promise<StreamedRequest["body"]>;
};

/** Tries again after connection errors, 429 and 5xx, and waits twice as long each time. Throws. */
async function sendWithRetries(
  { open, ...request }: Sending,
  { webhooks }: GotenbergSettings,
): Promise<void> {
  const { retries, minWaitMs, maxWaitMs, timeoutMs } = webhooks;
  for (let attempt = 0; ; attempt++) {
    const headers = { "user-agent": "Gotenberg", ...request.headers, ...currentTrace() };
    const result = await sendStream(
      { ...request, headers, body: await open(), timeoutMs },
      networkFor("webhooks"),
    ).catch((error: unknown) => {
      if (error instanceof JobError && error.code !== "address_refused") return error;
      throw error;
    });
    const isTemporary = typeof result !== "number" || result === 429 || result >= 500;
    if (typeof result === "number" && result < 400) return;
    if (!isTemporary || attempt >= retries) {
      throw typeof result === "number"
        ? new Error(`the receiver responded with ${result}`)
        : result;
    }
    await wait(Math.min(maxWaitMs, minWaitMs * 2 ** attempt));
  }
}
