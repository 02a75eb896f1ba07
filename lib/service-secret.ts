import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "./env.ts";

/** Returns `SECRET`. Throws if this process has none. */
export function serviceSecret(): string {
  if (!env.SECRET) throw new Error("SECRET is not set for this process");
  return env.SECRET;
}

/**
 * The secrets that are accepted: `SECRET`, then `SECRET_PREVIOUS` if it is set. Everything that is signed or
 * encrypted uses `SECRET`; what is verified or decrypted may use each of them.
 */
export function acceptedSecrets(): readonly string[] {
  const current = serviceSecret();
  return env.SECRET_PREVIOUS ? [current, env.SECRET_PREVIOUS] : [current];
}

/** A key of 32 bytes for one purpose, from which neither `SECRET` nor another key can be derived. */
export function deriveKey(purpose: string, secret = serviceSecret()): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
}

/** HMAC-SHA256 of `text` in hex, with the key of `purpose`. */
export function hmac(purpose: string, text: string, secret = serviceSecret()): string {
  return createHmac("sha256", deriveKey(purpose, secret)).update(text).digest("hex");
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** What a text is for: only the same purpose and the same row decrypt it. */
export interface SealedFor {
  readonly purpose: string;
  /** The id of its row. */
  readonly id: string;
}

/** Encrypts a text as Base64 of nonce, tag and ciphertext. */
export function seal({ purpose, id }: SealedFor, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, deriveKey(purpose), nonce).setAAD(Buffer.from(id));
  const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString("base64");
}

/** Throws if the text was altered, or encrypted with a secret that is not accepted or for another row. */
export function unseal(sealedFor: SealedFor, sealed: string): string {
  const [current, previous] = acceptedSecrets();
  try {
    return unsealWith(current, sealedFor, sealed);
  } catch (error) {
    if (previous === undefined) throw error;
    return unsealWith(previous, sealedFor, sealed);
  }
}

/**
 * Encrypts a text again with the current `SECRET`; undefined if it is encrypted with it, or if no
 * accepted secret decrypts it.
 */
export function reseal(sealedFor: SealedFor, sealed: string): string | undefined {
  const [current = "", previous] = acceptedSecrets();
  const opens = (secret: string) => {
    try {
      return unsealWith(secret, sealedFor, sealed);
    } catch {
      return undefined;
    }
  };
  if (previous === undefined || opens(current) !== undefined) return undefined;
  const text = opens(previous);
  return text === undefined ? undefined : seal(sealedFor, text);
}

function unsealWith(secret: string | undefined, { purpose, id }: SealedFor, sealed: string) {
  const bytes = Buffer.from(sealed, "base64");
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  const key = deriveKey(purpose, secret);
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(id))
    .setAuthTag(tag);
  const content = bytes.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(content), decipher.final()]).toString("utf8");
}
