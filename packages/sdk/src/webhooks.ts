import { MediamillError } from "./errors.ts";
import type { EndpointEvent, WebhookEvent } from "./types.ts";

/** The request is not a webhook of your account, was altered, or is too old. */
export class WebhookVerificationError extends MediamillError {
  override name = "WebhookVerificationError";
}

const toleranceSeconds = 5 * 60;

/**
 * Verifies a webhook (Standard Webhooks) and returns its event. `request`: a `Request`, or its headers
 * and its raw body. `secret`: `whsec_…`, of the account or of an endpoint: `unwrapWebhook<EndpointEvent>`. Throws `WebhookVerificationError`.
 */
export async function unwrapWebhook<Event extends EndpointEvent | WebhookEvent = WebhookEvent>(
  request:
    | Request
    | {
        headers: Headers | Record<string, string | string[] | undefined>;
        body: string | Uint8Array;
      },
  secret: string,
): Promise<Event> {
  const body = request instanceof Request ? await request.text() : textOf(request.body);
  const header = (name: string) => {
    const { headers } = request;
    return headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0];
  };
  const id = header("webhook-id");
  const timestamp = header("webhook-timestamp");
  const signatures = header("webhook-signature");
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError("A header is missing.");
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) throw new WebhookVerificationError("The webhook is too old.");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const raw = decodeBase64(secret.replace(/^whsec_/, ""));
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const one of signatures.split(" ")) {
    const [version, signature = ""] = one.split(",");
    if (version !== "v1") continue;
    const bytes = decodeBase64(signature);
    if (await crypto.subtle.verify("HMAC", key, bytes, signed)) return JSON.parse(body);
  }
  throw new WebhookVerificationError("The signature does not match.");
}

function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    throw new WebhookVerificationError("It is not valid base64.");
  }
}
