import { type Chapter, concatChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import type { AudioSource } from "../../shared/audio/join-audio.ts";

/** The chapters of all sources, at their times in the joined audio. `overlaps` in seconds. */
export function joinChapters(
  sources: readonly AudioSource[],
  overlaps: readonly number[],
): Chapter[] {
  const files = sources.map(({ info: { chapters, duration = 0 } }, index) => ({
    chapters,
    seconds: duration - (overlaps[index] ?? 0),
  }));
  return concatChapters(files);
}
