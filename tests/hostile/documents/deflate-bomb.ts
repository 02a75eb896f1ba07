import { constants, deflateRawSync } from "node:zlib";

/** Builds decompression bombs: small deflated data that inflates to a large size. */

const deflate = (bytes: Buffer) =>
  deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH });

const blockBytes = 16 * 2 ** 20;

interface Bomb {
  readonly mebibytes: number;
  /** The inflated content: `start`, then repeated `filler` (default: zeros), then `end`. */
  readonly start?: string | Buffer;
  readonly filler?: string;
  readonly end?: string;
}

/** Returns deflated data that inflates to `start`, about `mebibytes` of `filler` and `end`. */
export function deflateBomb({ mebibytes, start = "", filler = "\0", end = "" }: Bomb): Buffer {
  const count = Math.floor(blockBytes / filler.length);
  const block = deflate(Buffer.from(filler.repeat(count)));
  const blocks = Array.from({ length: mebibytes / 16 }, () => block);
  return Buffer.concat([deflate(Buffer.from(start)), ...blocks, deflateRawSync(Buffer.from(end))]);
}

/** The same in zlib format. Its checksum is wrong, which a reader detects only after inflating everything. */
export function zlibBomb(mebibytes: number, start: string | Buffer = ""): Buffer {
  const header = Buffer.from([0x78, 0x9c]);
  return Buffer.concat([header, deflateBomb({ mebibytes, start }), Buffer.from([0, 0, 0, 1])]);
}
