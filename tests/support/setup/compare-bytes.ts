import { expect } from "vitest";

/**
 * Lets `toEqual` compare bytes and samples as such. Vitest compares each value by itself and lists the index of each as a
 * text, which takes longer than to encode the image whose pixels they are.
 */

const types = [Uint8Array, Uint8ClampedArray, Uint16Array];

const isInteger = (value: unknown): value is Uint8Array =>
  types.some((type) => value instanceof type);

function areEqual(one: unknown, other: unknown): boolean | undefined {
  if (!isInteger(one) || !isInteger(other)) return undefined;
  return one.constructor === other.constructor && toBytes(one).equals(toBytes(other));
}

const toBytes = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Vitest keeps the testers for all files of a process, and runs this module for each. */
const added = Symbol.for("mediamill-compares-bytes");
if (!Reflect.has(globalThis, added)) expect.addEqualityTesters([areEqual]);
Reflect.set(globalThis, added, true);
