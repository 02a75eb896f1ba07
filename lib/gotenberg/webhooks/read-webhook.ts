import { networkFor } from "#lib/net/network.ts";
import { GotenbergError, statusError } from "../base/errors.ts";
import { isSendable } from "../base/headers.ts";
import { type GotenbergSettings, isAllowedUrl } from "../base/settings.ts";
import { mapOf, string, unmarshal } from "../base/unmarshal.ts";

/** Where the result of a request is sent to, as its headers say. */
export interface Webhook {
  readonly url: string;
  readonly method: Method;
  readonly errorUrl: string;
  readonly errorMethod: Method;
  readonly eventsUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Method = "POST" | "PUT" | "PATCH";

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
  const entries = Object.entries(parseHeaders(text)).filter(([name, one]) => isSendable(name, one));
  return Object.fromEntries(entries.map(([name, one]) => [name.toLowerCase(), one]));
}

function parseHeaders(text: string): Record<string, string> {
  try {
    return unmarshal(text, mapOf(string));
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : "";
    throw new GotenbergError(
      400,
      `Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header value: ${problem}`,
      { cause },
    );
  }
}
