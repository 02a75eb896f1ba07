import type { SubtitleFormat } from "#lib/formats/subtitles/cues.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { encodeAs, mapStream } from "./arguments.ts";
import { runFfmpeg } from "./ffmpeg.ts";
import type { MediaStream } from "./media-info.ts";
import { convertSubtitleFile } from "./subtitles/convert-subtitle-file.ts";

/** The text format that has all that a codec can express. */
const nativeFormats: Readonly<Record<string, SubtitleFormat>> = {
  subrip: "srt",
  mov_text: "srt",
  text: "srt",
  webvtt: "vtt",
  ass: "ass",
  ssa: "ass",
};

const encoders: Readonly<Record<SubtitleFormat, string>> = {
  srt: "subrip",
  vtt: "webvtt",
  ass: "ass",
};

/** Whether `stream` is a subtitle track of text, not of images. */
export function isTextTrack({ type, codec = "" }: MediaStream): boolean {
  return type === "subtitle" && codec in nativeFormats;
}

export interface TrackRequest {
  readonly file: WorkFile;
  /** A stream of the file; see `isTextTrack`. */
  readonly stream: MediaStream;
  readonly format: SubtitleFormat;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
  readonly duration?: number | undefined;
}

/**
 * Writes a subtitle track to a scratch file. Throws `JobError`: `corrupt` if it has no text, and what
 * `runFfmpeg` throws.
 */
export async function extractTrack(
  request: TrackRequest,
): Promise<{ file: WorkFile; cues: number }> {
  const { file, stream, format, work, signal, progress, duration } = request;
  const native = nativeFormats[stream.codec ?? ""] ?? "srt";
  const copied = work.scratch(native);
  await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    inputs: [{ file }],
    outputs: [
      { file: copied, args: [...mapStream(stream.index), ...encodeAs("s", 0, encoders[native])] },
    ],
  });
  return convertSubtitleFile(copied, format, work, signal);
}
