import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import {
  InvalidUrlError,
  incompleteUrlMessage,
  maxUrlLength,
  parseFetchUrl,
} from "#lib/fetch-url.ts";
import { obstacleMessage } from "#lib/net/guard.ts";
import { networkFor } from "#lib/net/network.ts";
import { findOwnReceiver, notOwnReceiverMessage } from "#lib/webhooks/receiver/deliver.ts";
import { receiverTokenOf } from "#lib/webhooks/receiver/url.ts";
import type { FieldSchema } from "./schema-messages.ts";

/** The JSON Schema of a URL that the service fetches or calls. */
export const urlSchema = {
  type: "string",
  format: "uri",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/]",
  maxLength: maxUrlLength,
} as const satisfies FieldSchema;

/** A field with an http or https URL. Parses to the normalized URL. */
export const urlText = z
  .string(incompleteUrlMessage)
  .transform((text, context) => {
    const url = normalizeUrl(text);
    if (typeof url === "string") return url;
    context.addIssue({ code: "custom", message: url.message });
    return z.NEVER;
  })
  .meta(urlSchema);

/**
 * The normalized URL of a field. Throws `invalid_parameter`; `alternative` continues the message with
 * what else the field may be.
 */
export function parseUrl(field: string, given: unknown, alternative = ""): string {
  const url = typeof given === "string" ? normalizeUrl(given) : { message: incompleteUrlMessage };
  if (typeof url === "string") return url;
  const suffix = url.message === incompleteUrlMessage ? alternative : "";
  throw new RequestError("invalid_parameter", `\`${field}\` ${url.message}${suffix}.`);
}

/**
 * The normalized URL to which webhooks of the account are sent. Throws `invalid_parameter`, also for a URL that can
 * never receive a webhook: on another port, or with a private address. The account's own test receiver is allowed
 * wherever the service is. Names are resolved at each attempt.
 */
export async function parseWebhookUrl(
  field: string,
  given: unknown,
  accountId: string,
): Promise<string> {
  const href = parseUrl(field, given);
  const message = await findWebhookObstacle(href, accountId);
  if (message === undefined) return href;
  throw new RequestError("invalid_parameter", `\`${field}\` ${message}.`);
}

async function findWebhookObstacle(href: string, accountId: string): Promise<string | undefined> {
  if (receiverTokenOf(href) !== undefined) {
    return (await findOwnReceiver(accountId, href)) ? undefined : notOwnReceiverMessage;
  }
  const obstacle = networkFor("webhooks").guard.findObstacle(new URL(href), "webhooks");
  return obstacle && obstacleMessage(obstacle, "webhooks");
}

/** The normalized URL, or what is wrong with it. */
function normalizeUrl(text: string): string | { readonly message: string } {
  try {
    return parseFetchUrl(text).href;
  } catch (error) {
    if (!(error instanceof InvalidUrlError)) throw error;
    return { message: error.message };
  }
}
