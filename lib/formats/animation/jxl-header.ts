/** The headers at the start of a JPEG XL codestream (ISO/IEC 18181-1, annex D). */

/** The first bytes of a codestream. */
export const jxlSignature = Buffer.from([0xff, 0x0a]);

/** Bytes of a codestream that hold all fields up to the one for animations. */
export const jxlHeaderBytes = 64;

/** Whether the codestream that begins with `bytes` declares an animation. */
export function declaresAnimation(bytes: Buffer): boolean {
  if (!bytes.subarray(0, jxlSignature.length).equals(jxlSignature)) return false;
  const bits = new BitReader(bytes.subarray(jxlSignature.length));
  skipSize(bits);
  const isDefault = bits.flag();
  const hasMore = !isDefault && bits.flag();
  if (!hasMore) return false;
  bits.read(3); // orientation
  if (bits.flag()) skipSize(bits);
  if (bits.flag()) skipPreview(bits);
  return bits.flag();
}

/** Reads bits, the lowest of a byte first; zeros after the end. */
class BitReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit++, this.#at++) {
      value += (((this.#bytes[this.#at >> 3] ?? 0) >> (this.#at & 7)) & 1) * 2 ** bit;
    }
    return value;
  }

  flag(): boolean {
    return this.read(1) === 1;
  }

  /** Skips a number whose length is selected by two bits. */
  skipChoice(lengths: readonly [number, number, number, number]): void {
    this.read(lengths[this.read(2)] ?? 0);
  }
}

/** Skips a height and, unless a ratio stands for it, the width. */
function skipSides(bits: BitReader, skipSide: () => void): void {
  skipSide();
  if (bits.read(3) === 0) skipSide();
}

function skipSize(bits: BitReader): void {
  const isSmall = bits.flag();
  skipSides(bits, () => (isSmall ? bits.read(5) : bits.skipChoice([9, 13, 18, 30])));
}

function skipPreview(bits: BitReader): void {
  const isSmall = bits.flag();
  skipSides(bits, () => bits.skipChoice(isSmall ? [0, 0, 5, 9] : [6, 8, 10, 12]));
}
