/** Parameter sets of H.264 and HEVC: the parts of a stream that say how its pictures are coded. */

/** The different sets of `sets`; undefined if two different ones have the same id. */
export function mergeSets(
  sets: readonly Buffer[],
  idOf: (set: Buffer) => number,
): Buffer[] | undefined {
  const byId = new Map<number, Buffer>();
  for (const set of sets) {
    const id = idOf(set);
    if (byId.get(id)?.equals(set) === false) return undefined;
    byId.set(id, set);
  }
  return [...byId.values()];
}

/** An unsigned Exp-Golomb number of at most 17 bits at the start of the byte `at`. */
export function readExpGolomb(bytes: Buffer, at: number): number {
  const bits = [0, 1, 2, 3].reduce((sum, offset) => sum * 256 + (bytes[at + offset] ?? 0), 0);
  const zeros = Math.min(8, Math.clz32(bits));
  return (bits >>> (31 - 2 * zeros)) - 1;
}

/** Reads `count` sets at `at`, each after its length in two bytes, and where they end. */
export function readSets(
  bytes: Buffer,
  start: number,
  count: number,
): { sets: Buffer[]; end: number } {
  let at = start;
  const sets = Array.from({ length: count }, () => {
    const size = bytes.readUInt16BE(at);
    at += 2 + size;
    if (at > bytes.length) throw new RangeError("a parameter set is cut off");
    return bytes.subarray(at - size, at);
  });
  return { sets, end: at };
}

/** The sets, each after its length in two bytes. */
export function writeSets(sets: readonly Buffer[]): Buffer[] {
  return sets.flatMap((set) => [Buffer.from([set.length >> 8, set.length & 255]), set]);
}

/** A NAL unit without the bytes 3 that keep its content from looking like a start code. */
export function unescapeUnit(unit: Buffer): Buffer {
  const bytes = [...unit];
  return Buffer.from(
    bytes.filter((byte, at) => !(byte === 3 && bytes[at - 1] === 0 && bytes[at - 2] === 0)),
  );
}

/** A NAL unit with these bytes. */
export function escapeUnit(content: Buffer): Buffer {
  const bytes: number[] = [];
  for (const byte of content) {
    if (byte <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3);
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}
