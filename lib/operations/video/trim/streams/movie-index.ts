import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { openRegular } from "#lib/files/regular-files.ts";
import { walkBoxes } from "#lib/formats/iso-boxes/iso-boxes.ts";
import { replaceBoxes } from "#lib/formats/iso-boxes/track-boxes.ts";
import { withFileSource } from "#lib/media/byte-source.ts";

/** The index (`moov`) of an MP4 with one video track that ffmpeg wrote (ISO/IEC 14496-12). */

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
