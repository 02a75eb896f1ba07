import type { DrawingOptions } from "#lib/formats/subtitles/convert.ts";
import type { SubtitleFormat } from "#lib/formats/subtitles/cues.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { callInWorker } from "../../worker/call.ts";
import { convertSubtitles } from "./worker-functions.ts";

/**
 * Converts a subtitle file, whose extension is its format, to `format`, into a scratch file. With
 * `drawing` the output is ASS to draw on frames. Throws `JobError`: `corrupt` if it has no text,
 * `too_complex`.
 */
export async function convertSubtitleFile(
  file: WorkFile,
  format: SubtitleFormat,
  work: WorkFolder,
  signal: AbortSignal,
  drawing?: DrawingOptions,
): Promise<{ file: WorkFile; cues: number }> {
  const {
    outputs,
    result,
    warnings = [],
  } = await callInWorker(convertSubtitles, {
    files: [file],
    options: { format, drawing },
    work,
    signal,
  });
  for (const warning of warnings) work.warn(warning);
  const [converted] = outputs;
  if (!converted) throw new Error("a worker returned no subtitles");
  return { file: converted, cues: result.cues };
}
