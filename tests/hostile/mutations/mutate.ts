import { createHash } from "node:crypto";

/** Reproducible damage in the style of zzuf: the same name and number always change the same bytes. */

/** Damages a copy of the bytes. A second call continues with the same sequence of random numbers. */
export type Damage = (bytes: Buffer) => Buffer;

export interface Mutation {
  readonly name: string;
  readonly damage: Damage;
}

/** The mutation `number` of the file `name`. Consecutive numbers cycle through the kinds of damage. */
export function createMutation(name: string, number: number): Mutation {
  const kind = kinds[number % kinds.length];
  if (!kind) throw new RangeError("no such mutation");
  const random = new RandomNumbers(`${name} ${number}`);
  return {
    name: `${number}: ${kind.name}`,
    damage: (bytes) => (bytes.length === 0 ? bytes : kind.apply(Buffer.from(bytes), random)),
  };
}

/** Pseudorandom numbers seeded by a text (Mulberry32). */
class RandomNumbers {
  #state: number;

  constructor(text: string) {
    this.#state = createHash("sha256").update(text).digest().readUInt32LE();
  }

  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
}

type Mutator = (bytes: Buffer, random: RandomNumbers) => Buffer;

/** Length of the file signature. Without it, most readers reject the file before they parse it. */
const signatureBytes = 12;

/** Flips one bit in `oneIn`, at least one, from `start` to `end`. Negative positions count from the end. */
function flip(oneIn: number, start = signatureBytes, end = Number.POSITIVE_INFINITY): Mutator {
  return (bytes, random) => {
    const range = bytes.subarray(bytes.length > 2 * signatureBytes ? start : 0, end);
    for (let left = Math.ceil((range.length * 8) / oneIn); left > 0; left--) {
      const at = random.below(range.length);
      range[at] = (range[at] ?? 0) ^ (1 << random.below(8));
    }
    return bytes;
  };
}

/** The range of a random block of up to an eighth of the bytes. */
function pickBlock({ length }: Buffer, random: RandomNumbers): [start: number, end: number] {
  const start = random.below(length);
  return [start, Math.min(length, start + 1 + random.below(Math.ceil(length / 8)))];
}

const fillBlock =
  (value: number): Mutator =>
  (bytes, random) =>
    bytes.fill(value, ...pickBlock(bytes, random));

const repeatBlock: Mutator = (bytes, random) => {
  const [start, end] = pickBlock(bytes, random);
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
};

const removeBlock: Mutator = (bytes, random) => {
  const [start, end] = pickBlock(bytes, random);
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
};

const moveBlock: Mutator = (bytes, random) => {
  const [start, end] = pickBlock(bytes, random);
  const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  const at = random.below(rest.length + 1);
  return Buffer.concat([rest.subarray(0, at), bytes.subarray(start, end), rest.subarray(at)]);
};

/** Keeps at least one byte and removes at least one byte. */
const truncate: Mutator = (bytes, random) =>
  bytes.subarray(0, 1 + random.below(Math.max(1, bytes.length - 1)));

/** Boundary values of lengths, offsets and counts. */
const extremes = [0, 1, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

const writeExtremes: Mutator = (bytes, random) => {
  for (let left = 4; left > 0 && bytes.length >= 4 + signatureBytes; left--) {
    const at = signatureBytes + random.below(bytes.length - signatureBytes - 3);
    const value = extremes[random.below(extremes.length)] ?? 0;
    if (random.below(2) === 0) bytes.writeUInt32BE(value, at);
    else bytes.writeUInt32LE(value, at);
  }
  return bytes;
};

const kinds: readonly { readonly name: string; readonly apply: Mutator }[] = [
  { name: "1 bit in 20,000 flipped", apply: flip(20_000) },
  { name: "1 bit in 100 of the start flipped", apply: flip(100, signatureBytes, 512) },
  { name: "truncated", apply: truncate },
  { name: "boundary values written", apply: writeExtremes },
  // zzuf's default ratio.
  { name: "1 bit in 250 flipped", apply: flip(250) },
  { name: "1 bit in 100 of the end flipped", apply: flip(100, -512) },
  { name: "a block zeroed", apply: fillBlock(0) },
  { name: "a block repeated", apply: repeatBlock },
  { name: "1 bit in 2,500 flipped", apply: flip(2500) },
  { name: "a block removed", apply: removeBlock },
  { name: "a block filled with ones", apply: fillBlock(0xff) },
  { name: "a block moved", apply: moveBlock },
  { name: "1 bit in 500 flipped, signature included", apply: flip(500, 0) },
];
