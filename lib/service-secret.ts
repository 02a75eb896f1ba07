import { createHmac, hkdfSync } from "node:crypto";
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
