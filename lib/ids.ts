import { randomBytes, randomInt } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns `length` random base62 characters, from a cryptographic generator. */
export function randomBase62(length: number): string {
  let text = "";
  for (let index = 0; index < length; index++) text += alphabet[randomInt(62)];
  return text;
}

/**
 * Formats `value` in base62, padded with zeros to `length`. The alphabet is in ASCII order, so text
 * sorts like numbers.
 */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text;
  return text.padStart(length, "0");
}

/** The time of the last id. */
let lastMs = 0;

/** How far ids may be ahead of the clock. After a clock was set back by more, they follow it. */
const maxAheadMs = 1000;

/**
 * Creates an id: `prefix_` and 24 base62 characters, 8 of the time in milliseconds and 16 random.
 * Ids sort by time. Each one of a process has a later time than the one before, so that those of the same millisecond
 * sort in their order, too.
 */
export function createId(
  prefix:
    | "job"
    | "acc"
    | "key"
    | "tok"
    | "whd"
    | "upload"
    | "req"
    | "ses"
    | "vis"
    | "rcv"
    | "act"
    | "ik"
    | "shr"
    | "prv"
    | "conn"
    | "we",
): string {
  const now = Date.now();
  lastMs = now > lastMs || now < lastMs - maxAheadMs ? now : lastMs + 1;
  return `${prefix}_${toBase62(lastMs, 8)}${randomBase62(16)}`;
}

/** Whether `text` can be an id. Ask the database for no other: PostgreSQL rejects text with a NUL. */
export function isId(text: string): boolean {
  return /^[a-z]+_[0-9A-Za-z]{1,40}$/.test(text);
}

/** A random token of 24 hex digits, such as for the holder of a lease. */
export function createToken(): string {
  return randomBytes(12).toString("hex");
}
