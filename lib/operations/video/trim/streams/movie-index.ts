import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { openRegular } from "#lib/files/regular-files.ts";
import { boxesIn, walkBoxes } from "#lib/formats/iso-boxes/iso-boxes.ts";
import { box as writeBox } from "#lib/formats/iso-boxes/write-boxes.ts";
import { withFileSource } from "#lib/media/byte-source.ts";

/** The index (`moov`) of an MP4 with one video track that ffmpeg wrote (ISO/IEC 14496-12). */

/** Boxes that contain boxes, with the bytes of their content before the first of them. */
const parents: Readonly<Record<string, number>> = {
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  stsd: 8,
  avc1: 78,
  hvc1: 78,
  hev1: 78,
};

export interface MovieIndex {
  /** Where it starts in the file: it is the last box, so that changing its size moves nothing. */
  readonly at: number;
  readonly moov: Buffer;
}

/** Reads the index. Undefined if it is not the last box of the file. */
export function readMovieIndex(file: WorkFile): Promise<MovieIndex | undefined> {
  return withFileSource(file.path, async (source) => {
    const { size = 0 } = source;
    for await (const { type, offset, end } of walkBoxes(source, 0, size)) {
      if (type !== "moov" || end !== size) continue;
      return { at: offset, moov: await source.read(offset, end - offset) };
    }
    return undefined;
  });
}

/** The content of the first box of `type`, without its header. */
export function findBox(bytes: Buffer, type: string): Buffer | undefined {
  for (const box of boxesIn(bytes)) {
    const content = bytes.subarray(box.content, box.end);
    if (box.type === type) return content;
    const skipped = parents[box.type];
    const found = skipped === undefined ? undefined : findBox(content.subarray(skipped), type);
    if (found) return found;
  }
  return undefined;
}

/** `bytes` with other contents of boxes, by type. */
export function replaceBoxes(bytes: Buffer, contents: Readonly<Record<string, Buffer>>): Buffer {
  const parts = [...boxesIn(bytes)].map(({ type, content, end }) => {
    const old = bytes.subarray(content, end);
    const skipped = parents[type];
    const replaced = contents[type];
    if (replaced) return writeBox(type, replaced);
    if (skipped === undefined) return writeBox(type, old);
    return writeBox(type, old.subarray(0, skipped), replaceBoxes(old.subarray(skipped), contents));
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
