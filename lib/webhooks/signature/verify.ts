import { createHmac, timingSafeEqual } from "node:crypto";
import { type SigningPair, signingSecrets } from "./sign.ts";

/** How far `webhook-timestamp` may be from now, in seconds, as in the libraries of Standard Webhooks. */
const toleranceSeconds = 300;

const headerNames = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/**
 * Why a request is not a valid webhook of `signer` at this time, as a text for people; null if it is.
 * The names of `headers` are in lower case.
 */
export function findSignatureFault(
  signer: SigningPair,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  at: Date,
): string | null {
  const missing = headerNames.filter((name) => !headers[name]);
  if (missing.length === headerNames.length) {
    return "The request is not signed: it has none of the headers webhook-id, webhook-timestamp and webhook-signature.";
  }
  if (missing.length > 0) return `The header ${missing.join(" and ")} is missing.`;
  const [id = "", timestamp = "", signature = ""] = headerNames.map((name) => headers[name]);
  if (!/^\d{1,12}$/.test(timestamp)) {
    return "webhook-timestamp is not a whole number of seconds since 1970.";
  }
  const given = signature.split(" ").flatMap((one) => (one.startsWith("v1,") ? one.slice(3) : []));
  if (given.length === 0) return "webhook-signature has no signature of version v1.";
  const isSignedWith = (secret: string) => {
    const expected = hash(secret, id, timestamp, body);
    return given.some((one) => isEqual(Buffer.from(one, "base64"), expected));
  };
  if (!signingSecrets(signer, at).some(isSignedWith)) {
    const { previousWebhookSecret: previous } = signer;
    return previous && isSignedWith(previous)
      ? "It was signed with the previous secret, which is no longer valid."
      : "No signature matches: the request was signed with another secret, or its body, webhook-id or webhook-timestamp was changed.";
  }
  return findTimeFault(Number(timestamp), at);
}

function hash(secret: string, id: string, timestamp: string, body: Uint8Array): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function findTimeFault(timestamp: number, at: Date): string | null {
  const age = Math.floor(at.getTime() / 1000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return null;
  const where = age > 0 ? "in the past" : "in the future";
  return `The signature matches, but webhook-timestamp is ${Math.abs(age)} seconds ${where}: at most ${toleranceSeconds} are valid.`;
}
