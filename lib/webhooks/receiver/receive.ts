import { db, transaction } from "#lib/db/client.ts";
import { consumeAttempt } from "#lib/db/queries/accounts/attempt-limits.ts";
import { insertReceivedRequest } from "#lib/db/queries/webhooks/received.ts";
import type { OwnedReceiver } from "#lib/db/queries/webhooks/receivers.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { countJsonEntries, maxJsonEntries } from "#lib/json-entries.ts";
import type { SigningPair } from "../signature/sign.ts";
import { findSignatureFault } from "../signature/verify.ts";
import { createReceiverResponse, type ReceiverResponse } from "./responses.ts";

/** A request to a test receiver. */
export interface IncomingRequest {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The sender's IP address, if it is known. */
  readonly address?: string | undefined;
  /** The delivery of the receiver's account that sends the request. */
  readonly deliveryId?: string;
  /** What should have signed it; by default the receiver's account. */
  readonly signer?: SigningPair;
  /** How long the sender waits for a response, in milliseconds, if it is known. */
  readonly timeoutMs?: number;
}

/** The most bytes of a body that are kept. */
export const keptBodyBytes = 65_536;

/** The limit of a receiver: 120 requests at once, then two a second. */
const limit = { burst: 120, secondsEach: 0.5 };

/** What a receiver responds, and when. */
export interface Received {
  /** The id of the stored request; undefined if it was rejected. */
  readonly id?: string;
  readonly response: ReceiverResponse;
  readonly delaySeconds: number;
}

/**
 * Stores a request for the account of the receiver, and returns what to respond after `delaySeconds`. Throws
 * `rate_limited`.
 */
export async function receiveRequest(
  { receiver, account }: OwnedReceiver,
  { method, headers, body, address, deliveryId, timeoutMs, signer = account }: IncomingRequest,
): Promise<Received> {
  const seconds = await consumeAttempt(db(), `receiver:${account.id}`, limit);
  if (seconds > 0) {
    const message = `This receiver takes 2 requests per second. Try again in ${seconds} seconds.`;
    const retryAfter = { "Retry-After": String(seconds) };
    throw new RequestError("rate_limited", message, { headers: retryAfter });
  }
  const at = new Date();
  const id = createId("rcv");
  const { responseStatus, delaySeconds } = receiver;
  const kept = keepText(body);
  const row = {
    id,
    accountId: account.id,
    at,
    method,
    responseStatus,
    isLate: timeoutMs !== undefined && delaySeconds * 1000 >= timeoutMs,
    headers: keepHeaders(headers),
    ...kept,
    sizeBytes: body.length,
    event: findEventType(body),
    signatureFault: findSignatureFault(signer, headers, body, at),
    address: address ?? null,
    deliveryId: deliveryId ?? null,
  };
  await transaction((tx) => insertReceivedRequest(tx, row));
  return { id, response: createReceiverResponse(responseStatus, id), delaySeconds };
}

/** Credentials of the sender, which no one needs to see: a request from a browser may even have our cookies. */
const credentials = new Set(["authorization", "cookie", "proxy-authorization", "x-api-key"]);

function keepHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      clean(name),
      credentials.has(name) ? "***" : clean(value),
    ]),
  );
}

function keepText(bytes: Uint8Array): { readonly body: string; readonly isExact: boolean } {
  const body = clean(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, keptBodyBytes)),
  );
  return { body, isExact: Buffer.from(body).equals(bytes) };
}

/** The text without what PostgreSQL does not store. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

function findEventType(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  // Anyone can send such JSON, and no webhook has that many fields.
  if (countJsonEntries(text) > maxJsonEntries) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    const type = typeof parsed === "object" && parsed && "type" in parsed ? parsed.type : null;
    return typeof type === "string" ? clean(type.slice(0, 100)) : null;
  } catch {
    return null; // not JSON
  }
}
