import type { HuffmanTable } from "./read-header.ts";

/** By the next 16 bits of the data: the length of the code, times 256, plus its symbol; 0 for none. */
export type HuffmanLookup = Uint16Array;

export function buildLookup({ counts, symbols }: HuffmanTable): HuffmanLookup {
  const lookup = new Uint16Array(65_536);
  let [code, index] = [0, 0];
  for (const [position, count] of counts.entries()) {
    const length = position + 1;
    for (let i = 0; i < count; i++, code++, index++) {
      const first = code << (16 - length);
      lookup.fill(length * 256 + (symbols[index] ?? 0), first, first + (1 << (16 - length)));
    }
    code <<= 1;
  }
  return lookup;
}

/** Reads the coded data of a scan. After its end, it reads zeros. */
export class BitReader {
  readonly #bytes: Buffer;
  #position: number;
  #bits = 0;
  #count = 0;
  /** Zero bytes that were read after the end of the data or at a marker. */
  overrun = 0;
  /** Whether bits were read that are no code. */
  isDamaged = false;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#position = start;
  }

  readSymbol(lookup: HuffmanLookup): number {
    this.#fill();
    const entry = lookup[(this.#bits >>> (this.#count - 16)) & 0xffff] ?? 0;
    if (entry === 0) this.isDamaged = true;
    this.#count -= entry >> 8;
    return entry & 255;
  }

  /** A coefficient of `size` bits, at most 15 (T.81, F.2.2.1, EXTEND). */
  readValue(size: number): number {
    if (size === 0) return 0;
    this.#fill();
    this.#count -= size;
    const value = (this.#bits >>> this.#count) & ((1 << size) - 1);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  /** Skips the rest of the byte. The next marker, and where it is; undefined without one. */
  nextMarker(): number | undefined {
    this.#bits = 0;
    this.#count = 0;
    this.overrun = 0;
    let at = this.#position;
    // The reader is ahead by up to four bytes, but it stops at markers.
    while (at < this.#bytes.length && this.#bytes[at] !== 0xff) at++;
    while (this.#bytes[at] === 0xff && this.#bytes[at + 1] === 0xff) at++;
    const marker = this.#bytes[at + 1];
    this.#position = at + 2;
    return marker;
  }

  #fill(): void {
    while (this.#count <= 24) {
      let byte = this.#bytes[this.#position] ?? -1;
      if (byte === -1 || (byte === 0xff && this.#bytes[this.#position + 1] !== 0)) {
        byte = 0;
        this.overrun++;
      } else {
        this.#position += byte === 0xff ? 2 : 1;
      }
      this.#bits = (this.#bits << 8) | byte;
      this.#count += 8;
    }
  }
}
