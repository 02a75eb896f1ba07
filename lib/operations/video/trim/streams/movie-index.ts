import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { openRegular } from "#lib/files/regular-files.ts";

/** The index (`moov`) of an MP4 with one video track that ffmpeg wrote (ISO/IEC 14496-12). */

/** Boxes that contain boxes, with the bytes before their first child. */
const parents: Readonly<Record<string, number>> = {
  moov: 8,
  trak: 8,
  mdia: 8,
  minf: 8,
  stbl: 8,
  stsd: 16,
  avc1: 86,
  hvc1: 86,
  hev1: 86,
};

export interface MovieIndex {
  /** Where it starts in the file: it is the last box, so that changing its size moves nothing. */
  readonly at: number;
  readonly moov: Buffer;
}

/** Reads the index. Undefined if it is not the last box of the file. */
export async function readMovieIndex(file: WorkFile): Promise<MovieIndex | undefined> {
  const handle = await openRegular(file.path);
  try {
    const { size: total } = await handle.stat();
    const header = Buffer.alloc(16);
    for (let at = 0; at + 8 <= total; ) {
      await handle.read(header, 0, 16, at);
      const short = header.readUInt32BE(0);
      const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
      if (size < 8) return undefined;
      if (header.toString("latin1", 4, 8) === "moov" && at + size === total) {
        const moov = Buffer.alloc(size);
        await handle.read(moov, 0, size, at);
        return { at, moov };
      }
      at += size;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The content of the first box of `type`, without its header. */
export function findBox(bytes: Buffer, type: string): Buffer | undefined {
  for (const box of boxesOf(bytes)) {
    if (box.type === type) return box.bytes.subarray(8);
    const skipped = parents[box.type];
    const found = skipped === undefined ? undefined : findBox(box.bytes.subarray(skipped), type);
    if (found) return found;
  }
  return undefined;
}

/** `bytes` with other contents of boxes, by type. */
export function replaceBoxes(bytes: Buffer, contents: Readonly<Record<string, Buffer>>): Buffer {
  const parts = [...boxesOf(bytes)].map((box) => {
    const skipped = parents[box.type];
    const content =
      contents[box.type] ??
      (skipped === undefined
        ? box.bytes.subarray(8)
        : Buffer.concat([
            box.bytes.subarray(8, skipped),
            replaceBoxes(box.bytes.subarray(skipped), contents),
          ]));
    const header = Buffer.from(box.bytes.subarray(0, 8));
    header.writeUInt32BE(8 + content.length);
    return Buffer.concat([header, content]);
  });
  return Buffer.concat(parts);
}

/** Replaces the contents of boxes in the index of a file. */
export async function replaceInIndex(
  file: WorkFile,
  contents: Readonly<Record<string, Buffer>>,
): Promise<void> {
  const index = await readMovieIndex(file);
  if (!index) throw new Error("the file has no index at its end");
  const handle = await openRegular(file.path, "r+");
  try {
    await handle.truncate(index.at);
    await handle.write(replaceBoxes(index.moov, contents), 0, undefined, index.at);
  } finally {
    await handle.close();
  }
}

function* boxesOf(bytes: Buffer): Generator<{ type: string; bytes: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) return;
    const type = bytes.toString("latin1", at + 4, at + 8);
    yield { type, bytes: bytes.subarray(at, at + size) };
    at += size;
  }
}
