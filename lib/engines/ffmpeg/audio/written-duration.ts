import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import type { FfmpegResult } from "../ffmpeg.ts";
import { probe } from "../ffprobe.ts";
import { statedDuration } from "./stated-duration.ts";

/** What is known before a run about the audio that it writes. */
export interface AudioPlan {
  /** Its duration in seconds. */
  readonly planned?: number | undefined;
  /** Whether its packets are copied. */
  readonly isCopy?: boolean;
}

/**
 * By how many seconds ffmpeg's report differs at most from the audio in the file: encoders fill the first
 * and the last packet with silence, and the length of the last packet of a copy may be unknown.
 */
const tolerance = 0.2;

/** The report is rounded to samples, of which no format has fewer a second. */
const oneSample = 1 / 8000;

/**
 * The duration in seconds of an audio file that ffmpeg has written to `output`: by its samples if it
 * states them, otherwise as planned, unless the run reports another one. The file is probed only if
 * nothing was written that lasts longer than the delay of its encoder; throws as `probe` then.
 */
export async function audioDuration(
  output: WorkFile,
  { seconds }: Pick<FfmpegResult, "seconds">,
  { planned = Number.NaN, isCopy = false }: AudioPlan,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (seconds === 0) return (await probe(output, work, signal)).duration;
  // A copy may state the samples of the file that its packets are from.
  const stated = isCopy ? undefined : await statedDuration(output.path);
  if (stated !== undefined) return Math.round(stated * 1e6) / 1e6;
  const excess = isCopy ? planned - seconds : seconds - planned;
  const isPlanned = excess > -oneSample && excess < tolerance;
  return Math.round((isPlanned ? planned : seconds) * 1e6) / 1e6;
}
