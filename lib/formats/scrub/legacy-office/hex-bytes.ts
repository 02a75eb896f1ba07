import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { Patch, PatchSource } from "../patch.ts";

/** The most bytes of one embedded image or object. */
const maxBytes = 128 * 2 ** 20;

const isHex = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** Bytes that a file contains as hexadecimal digits, with line ends between them, or as raw bytes. */
export class HexBytes {
  readonly #runs: { readonly offset: number; readonly bytes: Buffer; readonly isRaw: boolean }[] =
    [];
  #size = 0;

  /** Appends the bytes at `offset` of the file. Throws `RangeError` beyond 128 MiB. */
  add(offset: number, bytes: Buffer, isRaw: boolean): void {
    this.#size += bytes.length;
    if (this.#size > 2 * maxBytes) throw new DamagedDataError("embedded data too large");
    if (isRaw) this.#runs.push({ offset, bytes, isRaw });
    for (let at = 0; !isRaw && at < bytes.length; ) {
      let end = at;
      while (end < bytes.length && isHex(bytes[end] ?? 0)) end++;
      if (end > at) this.#runs.push({ offset: offset + at, bytes: bytes.subarray(at, end), isRaw });
      at = end + 1;
    }
  }

  /** The decoded bytes. */
  decode(): Buffer {
    const digits = this.#runs.map(({ bytes, isRaw }) => (isRaw ? bytes.toString("hex") : bytes));
    const text = digits.map((part) => part.toString("latin1")).join("");
    return Buffer.from(text, "hex");
  }

  /** Patches of the file for `patches` of the decoded bytes. */
  encode(patches: readonly Patch[]): Patch[] {
    return patches.flatMap((patch) => {
      const bytes = "bytes" in patch ? patch.bytes : Buffer.alloc(patch.zeros);
      return this.#write(2 * patch.offset, bytes.toString("hex"));
    });
  }

  /** Writes `digits` from digit number `first` on. */
  #write(first: number, digits: string): Patch[] {
    const patches: Patch[] = [];
    let start = 0; // number of the run's first digit
    for (const { offset, bytes, isRaw } of this.#runs) {
      const width = isRaw ? 2 : 1;
      const end = start + width * bytes.length;
      const from = Math.max(first, start);
      const to = Math.min(first + digits.length, end);
      if (from < to) {
        const part = digits.slice(from - first, to - first);
        patches.push({
          offset: offset + Math.floor((from - start) / width),
          bytes: isRaw ? Buffer.from(part, "hex") : Buffer.from(part, "latin1"),
        });
      }
      start = end;
    }
    return patches;
  }
}

/** A source that reads from memory. */
export function sourceOfBuffer(bytes: Buffer): PatchSource {
  return {
    size: bytes.length,
    read: async (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > bytes.length) {
        throw new DamagedDataError("past the end");
      }
      return bytes.subarray(offset, offset + length);
    },
  };
}
