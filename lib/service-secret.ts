import { createHmac, hkdfSync } from "node:crypto";
import { env } from "./env.ts";

/** `SECRET`. Throws if this process has none. */
export function serviceSecret(): string {
  if (!env.SECRET) throw new Error("SECRET is not set for this process");
  return env.SECRET;
}

/** A key of 32 bytes for one purpose, from which neither `SECRET` nor another key can be derived. */
export function deriveKey(purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", serviceSecret(), "", purpose, 32));
}

/** HMAC-SHA256 of `text` in hex, with the key of `purpose`. */
export function hmac(purpose: string, text: string): string {
  return createHmac("sha256", deriveKey(purpose)).update(text).digest("hex");
}
