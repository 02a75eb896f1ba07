import { JobError } from "#lib/errors.ts";

/** The header of a device-independent bitmap (DIB), which BMP and ICO files contain ([MS-WMF] 2.2.2). */
export interface BitmapHeader {
  readonly width: number;
  /** The number of rows; in an icon, also those of its mask. */
  readonly height: number;
  /** Whether the rows are stored from top to bottom. */
  readonly isTopDown: boolean;
  readonly bits: 1 | 2 | 4 | 8 | 16 | 24 | 32;
  readonly isRunLength: boolean;
  /** Which bits of a pixel of 16 or 32 bits are red, green, blue and alpha; 0 for none. */
  readonly masks: readonly [red: number, green: number, blue: number, alpha: number];
  /** Colors of up to 8 bits: red, green, blue. */
  readonly palette: readonly (readonly [number, number, number])[];
  /** Where the pixels begin in the DIB, if they follow the header. */
  readonly end: number;
  /** The resolution in pixels per inch; undefined if it is not declared. */
  readonly density: number | undefined;
}

const compressions = { none: 0, runs8: 1, runs4: 2, masks: 3, masksWithAlpha: 6 } as const;

const coreHeaderBytes = 12;
/** Lengths of BITMAPCOREHEADER, OS22XBITMAPHEADER, BITMAPINFOHEADER and its successors. */
const headerLengths = [coreHeaderBytes, 16, 40, 52, 56, 64, 108, 124];
const os2HeaderBytes = 64;

const depths = [1, 2, 4, 8, 16, 24, 32] as const;

export function damagedBitmap(): JobError {
  return new JobError("corrupt", "The image is damaged or incomplete.");
}

/** Reads the header at the start of `dib`. Throws `JobError("corrupt")`. */
export function readBitmapHeader(dib: Buffer): BitmapHeader {
  const length = dib.length >= 4 ? dib.readUInt32LE(0) : 0;
  if (!headerLengths.includes(length) || dib.length < length) throw damagedBitmap();
  const isCore = length === coreHeaderBytes;
  const width = isCore ? dib.readUInt16LE(4) : dib.readInt32LE(4);
  const signedHeight = isCore ? dib.readUInt16LE(6) : dib.readInt32LE(8);
  const depth = dib.readUInt16LE(isCore ? 10 : 14);
  const bits = depths.find((known) => known === depth);
  const compression = length >= 40 ? dib.readUInt32LE(16) : compressions.none;
  if (width <= 0 || signedHeight === 0 || !bits) throw damagedBitmap();
  const isRunLength =
    (compression === compressions.runs8 && bits === 8) ||
    (compression === compressions.runs4 && bits === 4);
  const hasMasks =
    length !== os2HeaderBytes &&
    (bits === 16 || bits === 32) &&
    (compression === compressions.masks || compression === compressions.masksWithAlpha);
  if (compression !== compressions.none && !isRunLength && !hasMasks) throw damagedBitmap();
  // Up to 40 bytes, the masks follow the header; longer ones contain them.
  const listed = compression === compressions.masksWithAlpha ? 16 : 12;
  const maskBytes = hasMasks && length <= 40 ? listed : 0;
  const colors = length + maskBytes;
  const palette = readPalette(dib, colors, bits, {
    isCore,
    used: length >= 40 ? dib.readUInt32LE(32) : 0,
  });
  return {
    width,
    height: Math.abs(signedHeight),
    isTopDown: signedHeight < 0,
    bits,
    isRunLength,
    masks: hasMasks ? readMasks(dib, Math.max(length, colors)) : defaultMasks(bits),
    palette,
    end: colors + palette.length * (isCore ? 3 : 4),
    density: length >= 40 ? readDensity(dib.readInt32LE(24)) : undefined,
  };
}

function readPalette(
  dib: Buffer,
  offset: number,
  bits: number,
  { isCore, used }: { readonly isCore: boolean; readonly used: number },
): [number, number, number][] {
  const most = bits <= 8 ? 2 ** bits : 0;
  const entryBytes = isCore ? 3 : 4;
  const present = Math.floor((dib.length - offset) / entryBytes);
  const count = Math.min(used > 0 ? Math.min(used, most) : most, present);
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const at = offset + index * entryBytes;
    return [dib.readUInt8(at + 2), dib.readUInt8(at + 1), dib.readUInt8(at)];
  });
}

/** The masks begin 40 bytes after the start of the header. `end`: of the bytes that may hold them. */
function readMasks(dib: Buffer, end: number): [number, number, number, number] {
  const read = (index: number) => {
    const at = 40 + index * 4;
    return at + 4 <= Math.min(end, dib.length) ? dib.readUInt32LE(at) : 0;
  };
  return [read(0), read(1), read(2), read(3)];
}

/** The masks of the colors: five bits a channel, or eight. In 32 bits, the rest may be alpha. */
function defaultMasks(bits: number): [number, number, number, number] {
  if (bits === 16) return [0x7c00, 0x03e0, 0x001f, 0];
  return [0x00ff0000, 0x0000ff00, 0x000000ff, bits === 32 ? 0xff000000 : 0];
}

/** The density from pixels per meter, as far as it is plausible. */
function readDensity(perMeter: number): number | undefined {
  const perInch = perMeter * 0.0254;
  return perInch >= 1 && perInch <= 100_000 ? perInch : undefined;
}
