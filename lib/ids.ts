import { randomBytes, randomInt } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` random base62 characters from the system's cryptographic source. */
export function randomBase62(length: number): string {
  let text = "";
  for (let index = 0; index < length; index++) text += alphabet[randomInt(62)];
  return text;
}

/** `value` in base62, padded with zeros to `length`; the alphabet is in ASCII order, so text order is number order. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text;
  return text.padStart(length, "0");
}

/** `prefix_` and 24 base62 characters: eight of the time in milliseconds, sixteen random. Sorts by time. */
export function createId(prefix: "job" | "acc" | "key" | "whd" | "upload" | "req" | "ses"): string {
  return `${prefix}_${toBase62(Date.now(), 8)}${randomBase62(16)}`;
}

/** A token that tells one holder of a lease from the next. */
export function createToken(): string {
  return randomBytes(12).toString("hex");
}
