import { buildOptimalTable } from "./optimal-table.ts";
import type { HuffmanTable, JpegComponent } from "./read-header.ts";

/** Coded data of a scan, and the Huffman tables that it uses, by their ids. */
export interface EncodedScan {
  readonly data: Buffer;
  readonly dcTables: ReadonlyMap<number, HuffmanTable>;
  readonly acTables: ReadonlyMap<number, HuffmanTable>;
}

interface Coder {
  /** A symbol of a table, followed by `size` bits. */
  readonly put: (table: number, symbol: number, bits: number, size: number) => void;
}

/** Ids of tables for AC coefficients follow the four for DC coefficients. */
const acOffset = 4;

/** `blocks`: 64 coefficients each, whose components are those of `unit`, repeated. */
export function encodeBlocks(blocks: Int16Array, unit: readonly JpegComponent[]): EncodedScan {
  const frequencies = Array.from({ length: 8 }, () => new Float64Array(256));
  codeBlocks(blocks, unit, {
    put(table, symbol) {
      const counts = frequencies[table];
      if (counts) counts[symbol] = (counts[symbol] ?? 0) + 1;
    },
  });
  const used = (offset: number, ids: number[]) =>
    new Map(
      ids.map((id) => [id, buildOptimalTable(frequencies[offset + id] ?? new Float64Array(256))]),
    );
  const dcTables = used(
    0,
    unit.map(({ dcTable }) => dcTable),
  );
  const acTables = used(
    acOffset,
    unit.map(({ acTable }) => acTable),
  );
  const codes = Array.from({ length: 8 }, (_, index) => {
    const table = index < acOffset ? dcTables.get(index) : acTables.get(index - acOffset);
    return table ? listCodes(table) : new Uint32Array(256);
  });
  const writer = new BitWriter(blocks.length);
  codeBlocks(blocks, unit, {
    put(table, symbol, bits, size) {
      const code = codes[table]?.[symbol] ?? 0;
      writer.write(code & 0xffff, code >>> 16);
      if (size > 0) writer.write(bits, size);
    },
  });
  return { data: writer.finish(), dcTables, acTables };
}

function codeBlocks(blocks: Int16Array, unit: readonly JpegComponent[], { put }: Coder): void {
  const predictions = new Map<JpegComponent, number>();
  for (let start = 0, index = 0; start < blocks.length; start += 64, index++) {
    const component = unit[index % unit.length];
    if (!component) return;
    const dc = blocks[start] ?? 0;
    putValue(put, component.dcTable, 0, dc - (predictions.get(component) ?? 0));
    predictions.set(component, dc);
    const table = acOffset + component.acTable;
    let zeros = 0;
    for (let at = 1; at < 64; at++) {
      const value = blocks[start + at] ?? 0;
      if (value === 0) {
        zeros++;
        continue;
      }
      for (; zeros > 15; zeros -= 16) put(table, 0xf0, 0, 0);
      putValue(put, table, zeros, value);
      zeros = 0;
    }
    if (zeros > 0) put(table, 0, 0, 0);
  }
}

/** A value after `zeros` zeros: their number and the size of the value are the symbol. */
function putValue(put: Coder["put"], table: number, zeros: number, value: number): void {
  const size = 32 - Math.clz32(Math.abs(value));
  put(table, zeros * 16 + size, (value < 0 ? value - 1 : value) & ((1 << size) - 1), size);
}

/** By symbol: the length of its code, times 65,536, plus the code. */
function listCodes({ counts, symbols }: HuffmanTable): Uint32Array {
  const codes = new Uint32Array(256);
  let [code, index] = [0, 0];
  for (const [position, count] of counts.entries()) {
    for (let i = 0; i < count; i++, code++, index++) {
      codes[symbols[index] ?? 0] = (position + 1) * 65_536 + code;
    }
    code <<= 1;
  }
  return codes;
}

class BitWriter {
  #bytes: Buffer;
  #length = 0;
  #bits = 0;
  #count = 0;

  constructor(expectedBytes: number) {
    this.#bytes = Buffer.alloc(Math.max(1024, expectedBytes >> 3));
  }

  /** At most 16 bits. */
  write(bits: number, size: number): void {
    this.#bits = (this.#bits << size) | bits;
    this.#count += size;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#push((this.#bits >>> this.#count) & 255);
    }
    // Fewer than eight bits are left, so that the next ones fit into 32.
    this.#bits &= (1 << this.#count) - 1;
  }

  /** The last byte is filled up with ones (T.81, F.1.2.3). */
  finish(): Buffer {
    if (this.#count > 0) this.write((1 << (8 - this.#count)) - 1, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }

  #push(byte: number): void {
    if (this.#length + 2 > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    }
    this.#bytes[this.#length++] = byte;
    // A zero follows, so that it is not taken for a marker.
    if (byte === 255) this.#bytes[this.#length++] = 0;
  }
}
