import type { Chapter } from "#lib/engines/ffmpeg/audio/chapters.ts";
import type { AudioSource } from "../../shared/audio/join-audio.ts";

/** The chapters of all sources, at their times in the joined audio. `overlaps` in seconds. */
export function joinChapters(
  sources: readonly AudioSource[],
  overlaps: readonly number[],
): Chapter[] {
  let offset = 0;
  return sources.flatMap(({ info }, index) => {
    const start = offset;
    offset += (info.duration ?? 0) - (overlaps[index] ?? 0);
    return info.chapters.map((chapter) => ({
      ...chapter,
      start: chapter.start + start,
      end: chapter.end + start,
    }));
  });
}
