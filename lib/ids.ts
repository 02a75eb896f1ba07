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

/** The characters that count the ids of a millisecond. */
const countLength = 3;

const counts = alphabet.length ** countLength;

/** After a clock was set back by more, ids follow it. Until then, they have the time of the last one. */
const maxStepMs = 1000;

/** The time and the count of the last id. */
let lastMs = 0;
let lastCount = 0;

/**
 * Creates an id: `prefix_` and 24 base62 characters, 8 of the time in milliseconds, 3 that count from a random number
 * within it, and 13 random. Ids sort by time, and those of a process in the order in which they were created.
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
  advance(Date.now());
  const count = toBase62(lastCount, countLength);
  return `${prefix}_${toBase62(lastMs, 8)}${count}${randomBase62(13)}`;
}

function advance(now: number): void {
  const isLater = now > lastMs || now < lastMs - maxStepMs;
  if (!isLater && ++lastCount < counts) return;
  lastMs = isLater ? now : lastMs + 1;
  // Half of the counts are left for the ids that follow.
  lastCount = randomInt(counts / 2);
}

/** Whether `text` can be an id. Ask the database for no other: PostgreSQL rejects text with a NUL. */
export function isId(text: string): boolean {
  return /^[a-z]+_[0-9A-Za-z]{1,40}$/.test(text);
}

/** A random token of 24 hex digits, such as for the holder of a lease. */
export function createToken(): string {
  return randomBytes(12).toString("hex");
}
