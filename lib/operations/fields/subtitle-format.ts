import { z } from "zod";
import { type SubtitleFormat, subtitleFormats } from "#lib/formats/subtitles/cues.ts";

/** The format of a subtitle file. */
export function subtitleFormat(initial: SubtitleFormat) {
  return z
    .enum(subtitleFormats)
    .default(initial)
    .describe(
      "The output format. All keep times, text, line breaks, bold, italic, colors and alignment; " +
        "only ass keeps further styles, and it counts times in hundredths of a second.",
    );
}
