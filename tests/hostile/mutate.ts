import { createHash } from "node:crypto";

/** Damage in the manner of zzuf: the same name and number always harm the same bytes in the same way. */

/** Harms a copy of the bytes. Of two calls the second goes on where the first stopped to draw numbers. */
export type Damage = (bytes: Buffer) => Buffer;

export interface Mutation {
  readonly name: string;
  readonly damage: Damage;
}

/** The mutation `number` of what is called `name`; the kinds of damage take turns. */
export function mutationOf(name: string, number: number): Mutation {
  const kind = kinds[number % kinds.length];
  if (!kind) throw new RangeError("no such mutation");
  const chance = new Chance(`${name} ${number}`);
  return {
    name: `${number}: ${kind.name}`,
    damage: (bytes) => (bytes.length === 0 ? bytes : kind.harm(Buffer.from(bytes), chance)),
  };
}

/** Numbers that follow from a text (Mulberry32). */
class Chance {
  #state: number;

  constructor(text: string) {
    this.#state = createHash("sha256").update(text).digest().readUInt32LE();
  }

  /** A whole number from 0 to `limit` − 1. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
}

type Harm = (bytes: Buffer, chance: Chance) => Buffer;

/** What tells the type stands there: with it gone, most readers give up before they begin. */
const markBytes = 12;

/** Turns over one bit in `oneIn`, at least one, from `start` to `end`; both may count from the end. */
function flip(oneIn: number, start = markBytes, end = Number.POSITIVE_INFINITY): Harm {
  return (bytes, chance) => {
    const part = bytes.subarray(bytes.length > 2 * markBytes ? start : 0, end);
    for (let left = Math.ceil((part.length * 8) / oneIn); left > 0; left--) {
      const at = chance.below(part.length);
      part[at] = (part[at] ?? 0) ^ (1 << chance.below(8));
    }
    return bytes;
  };
}

/** Where a block of up to an eighth of the bytes begins and ends. */
function pickBlock({ length }: Buffer, chance: Chance): [start: number, end: number] {
  const start = chance.below(length);
  return [start, Math.min(length, start + 1 + chance.below(Math.ceil(length / 8)))];
}

const fillBlock =
  (value: number): Harm =>
  (bytes, chance) =>
    bytes.fill(value, ...pickBlock(bytes, chance));

const repeatBlock: Harm = (bytes, chance) => {
  const [start, end] = pickBlock(bytes, chance);
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
};

const dropBlock: Harm = (bytes, chance) => {
  const [start, end] = pickBlock(bytes, chance);
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
};

const moveBlock: Harm = (bytes, chance) => {
  const [start, end] = pickBlock(bytes, chance);
  const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  const place = chance.below(rest.length + 1);
  return Buffer.concat([rest.subarray(0, place), bytes.subarray(start, end), rest.subarray(place)]);
};

/** One byte at least is left, and one at least is lost. */
const cutOff: Harm = (bytes, chance) =>
  bytes.subarray(0, 1 + chance.below(Math.max(1, bytes.length - 1)));

/** Numbers at which a length, an offset or a count turns over. */
const extremes = [0, 1, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

const writeExtremes: Harm = (bytes, chance) => {
  for (let left = 4; left > 0 && bytes.length >= 4 + markBytes; left--) {
    const at = markBytes + chance.below(bytes.length - markBytes - 3);
    const value = extremes[chance.below(extremes.length)] ?? 0;
    if (chance.below(2) === 0) bytes.writeUInt32BE(value, at);
    else bytes.writeUInt32LE(value, at);
  }
  return bytes;
};

const kinds: readonly { readonly name: string; readonly harm: Harm }[] = [
  { name: "1 bit in 20,000 flipped", harm: flip(20_000) },
  { name: "1 bit in 100 of the beginning", harm: flip(100, markBytes, 512) },
  { name: "cut off", harm: cutOff },
  { name: "numbers of extremes", harm: writeExtremes },
  // The share that zzuf flips where it is told none.
  { name: "1 bit in 250 flipped", harm: flip(250) },
  { name: "1 bit in 100 of the end", harm: flip(100, -512) },
  { name: "a block of zeros", harm: fillBlock(0) },
  { name: "a block twice", harm: repeatBlock },
  { name: "1 bit in 2,500 flipped", harm: flip(2500) },
  { name: "a block left out", harm: dropBlock },
  { name: "a block of ones", harm: fillBlock(0xff) },
  { name: "a block elsewhere", harm: moveBlock },
  { name: "1 bit in 500, its mark too", harm: flip(500, 0) },
];
