import { writeNew } from "#lib/files/regular-files.ts";
import type { WorkFolder } from "../../sandbox/work-folder.ts";
import { copyChapters, dropChapters, readAs } from "../arguments.ts";
import type { FfmpegInput } from "../ffmpeg.ts";
import type { MediaInfo } from "../media-info.ts";

/** Chapters of an output whose times differ from those of the input. */

/** Times in seconds. */
export type Chapter = MediaInfo["chapters"][number];

/**
 * Returns `chapters` with their times moved by `mapTime`. Those of which nothing is left are
 * dropped; `duration` is that of the output, in seconds.
 */
export function moveChapters(
  chapters: readonly Chapter[],
  mapTime: (seconds: number) => number,
  duration: number,
): Chapter[] {
  const move = (seconds: number) => Math.min(Math.max(0, mapTime(seconds)), duration);
  return chapters
    .map((chapter) => ({ ...chapter, start: move(chapter.start), end: move(chapter.end) }))
    .filter(({ start, end }) => end - start >= 0.001);
}

/** The chapters of files one after another. The next file starts `seconds` after each. */
export function concatChapters(
  files: readonly { readonly chapters: readonly Chapter[]; readonly seconds: number }[],
): Chapter[] {
  let offset = 0;
  return files.flatMap(({ chapters, seconds }) => {
    const start = offset;
    offset += seconds;
    return moveChapters(chapters, (time) => time + start, offset);
  });
}

/** The `chapters` of a file that is played backwards from the time `end`, in seconds. */
export function reverseChapters(chapters: readonly Chapter[], end: number): Chapter[] {
  const reversed = chapters.map((chapter) => ({
    ...chapter,
    start: chapter.end,
    end: chapter.start,
  }));
  return moveChapters(reversed, (time) => end - time, end).reverse();
}

/**
 * Writes `chapters` in ffmpeg's metadata format. Returns the input, which must be the `position`th,
 * and the output arguments that take the chapters of it.
 */
export async function writeChapters(
  chapters: readonly Chapter[],
  position: number,
  work: WorkFolder,
): Promise<{ input: FfmpegInput; args: string[] } | { input?: never; args: readonly string[] }> {
  if (chapters.length === 0) return { args: dropChapters };
  const file = work.scratch("txt");
  const sections = chapters.map(({ start, end, title }) => [
    "[CHAPTER]",
    "TIMEBASE=1/1000",
    `START=${Math.round(start * 1000)}`,
    `END=${Math.round(end * 1000)}`,
    ...(title === undefined ? [] : [`title=${escapeValue(title)}`]),
  ]);
  await writeNew(file.path, `${[";FFMETADATA1", ...sections.flat()].join("\n")}\n`);
  return { input: { file, args: readAs("ffmetadata") }, args: copyChapters(position) };
}

/** Escapes the characters that have a meaning in ffmpeg's metadata format. */
function escapeValue(text: string): string {
  return text.replaceAll("\u0000", "").replaceAll(/[=;#\\\n]/g, "\\$&");
}
