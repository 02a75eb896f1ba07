import { constants, deflateRawSync } from "node:zlib";

const pack = (bytes: Buffer) =>
  deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH });

const blockBytes = 16 * 2 ** 20;

interface Bomb {
  readonly mebibytes: number;
  /** What it unpacks to before, over and over, and after; `filler` is zeros. */
  readonly start?: string | Buffer;
  readonly filler?: string;
  readonly end?: string;
}

/** Deflated data that unpacks to `start`, some `mebibytes` of `filler` and `end`. */
export function deflateBomb({ mebibytes, start = "", filler = "\0", end = "" }: Bomb): Buffer {
  const count = Math.floor(blockBytes / filler.length);
  const block = pack(Buffer.from(filler.repeat(count)));
  const blocks = Array.from({ length: mebibytes / 16 }, () => block);
  return Buffer.concat([pack(Buffer.from(start)), ...blocks, deflateRawSync(Buffer.from(end))]);
}

/** The same as zlib has it; its checksum is not right, which shows when all has been unpacked. */
export function zlibBomb(mebibytes: number, start: string | Buffer = ""): Buffer {
  const header = Buffer.from([0x78, 0x9c]);
  return Buffer.concat([header, deflateBomb({ mebibytes, start }), Buffer.from([0, 0, 0, 1])]);
}
