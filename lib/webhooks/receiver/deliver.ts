import { setTimeout as sleep } from "node:timers/promises";
import { db } from "#lib/db/client.ts";
import { findReceiverByToken, type OwnedReceiver } from "#lib/db/queries/webhooks/receivers.ts";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { JobError, RequestError } from "#lib/errors.ts";
import { fetchTimeoutError } from "#lib/net/fetch-errors.ts";
import type { GuardedResponse } from "#lib/net/send.ts";
import type { SigningPair } from "../signature/sign.ts";
import { type Received, receiveRequest } from "./receive.ts";
import { receiverTokenOf } from "./url.ts";

/**
 * The account's own receiver, if `url` is exactly its URL. Webhooks to it are handed over inside this process, so
 * that the service calls none of its own addresses.
 */
export async function findOwnReceiver(
  accountId: string,
  url: string,
): Promise<OwnedReceiver | undefined> {
  const token = receiverTokenOf(url);
  const found = token === undefined ? undefined : await findReceiverByToken(db(), token);
  return found?.account.id === accountId ? found : undefined;
}

/** Why a URL that has the form of a receiver's cannot be used. It follows the name of the field. */
export const notOwnReceiverMessage =
  "must be the present URL of your own test receiver: this one was replaced, or belongs to another account";

/** A webhook to hand over, and what has signed it. */
interface SignedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signer: SigningPair;
}

/**
 * Hands a webhook over to the account's receiver, as if it had been sent. Throws `JobError`: `address_refused` if the
 * URL is not the account's receiver, `fetch_timeout` if the receiver is set to respond later than `timeoutMs`.
 */
export async function requestOwnReceiver(
  { id, accountId, url }: Pick<DeliveryRow, "id" | "accountId" | "url">,
  { headers, body, signer }: SignedMessage,
  timeoutMs: number,
): Promise<GuardedResponse> {
  const owned = await findOwnReceiver(accountId, url);
  if (!owned) throw new JobError("address_refused", `The URL ${notOwnReceiverMessage}.`);
  const sent = { method: "POST", headers, body: Buffer.from(body), signer };
  const received = await receiveRequest(owned, { ...sent, deliveryId: id, timeoutMs }).catch(
    toResponse,
  );
  const delayMs = received.delaySeconds * 1000;
  await sleep(Math.min(delayMs, timeoutMs));
  if (delayMs >= timeoutMs) throw fetchTimeoutError("the receiver is set to a longer delay");
  const { status, headers: responseHeaders, body: bodyStart } = received.response;
  return { status, headers: responseHeaders, bodyStart };
}

/** A rejected request as the API would respond to it. */
function toResponse(error: unknown): Received {
  if (!(error instanceof RequestError)) throw error;
  const headers = Object.fromEntries(
    Object.entries(error.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const body = JSON.stringify({ error: error.message });
  return { response: { status: error.status, headers, body }, delaySeconds: 0 };
}
