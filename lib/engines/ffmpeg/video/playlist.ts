import { writeNew } from "#lib/files/regular-files.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { readAs } from "../arguments.ts";
import type { FfmpegInput } from "../ffmpeg.ts";
import { keepPackets } from "../packet-arguments.ts";

/** A file of a playlist: a scratch file that ffmpeg has written. */
export interface Segment {
  readonly file: WorkFile;
  /** When the next segment starts, in seconds after this one. */
  readonly seconds: number;
}

/**
 * An input of ffmpeg that reads `segments` one after another. All must have the same streams, codecs
 * and time bases. Their packets are not changed.
 */
export async function writePlaylist(
  segments: readonly Segment[],
  work: WorkFolder,
): Promise<FfmpegInput> {
  const file = work.scratch("ffconcat");
  const lines = segments.flatMap((segment) => [
    `file '${nameInFolder(segment.file)}'`,
    `duration ${segment.seconds.toFixed(6)}`,
  ]);
  await writeNew(file.path, ["ffconcat version 1.0", ...lines, ""].join("\n"));
  return { file, args: [...readAs("concat"), ...keepPackets], isPlaylist: true };
}

/** ffmpeg resolves names in a playlist against the folder of the playlist. */
function nameInFolder({ name }: WorkFile): string {
  const [, base] = /^tmp\/(\d+\.[a-z0-9]+)$/.exec(name) ?? [];
  if (!base) throw new Error("only scratch files can be in a playlist");
  return base;
}
