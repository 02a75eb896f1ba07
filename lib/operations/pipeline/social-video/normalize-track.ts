import { limitDuration, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import { type Loudness, measureLoudness } from "#lib/engines/ffmpeg/audio/loudness.ts";
import type { AudioStream } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { type AudioTrackEncoding, audioCodecArguments } from "#lib/engines/ffmpeg/map-streams.ts";
import type { VideoFile } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { videoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import {
  type EncodingAttempt,
  maxAttempts,
  planNextAttempt,
} from "../../shared/audio/encoding-attempts.ts";
import { planFilters, planNormalization } from "../../shared/audio/normalization-plan.ts";
import { tunePlan } from "../../shared/audio/tune-plan.ts";
import { loudnessTarget } from "./platforms.ts";

const stereo = "aformat=channel_layouts=stereo|mono";

/**
 * Filters that bring the first `seconds` of a track to the loudness of networks when it is then encoded
 * as `encoding`, which raises its peaks; silence stays. Throws what `runFfmpeg` throws.
 */
export async function planLoudness(
  file: VideoFile,
  stream: AudioStream,
  seconds: number,
  encoding: AudioTrackEncoding,
): Promise<string[]> {
  const { input, work, signal, progress } = file;
  const measurement = {
    file: input,
    work,
    signal,
    stream: stream.index,
    duration: seconds,
    progress,
    filters: [stereo, `atrim=end=${seconds.toFixed(6)}`],
  };
  const { sampleRate } = stream;
  const target = loudnessTarget;
  const first = planNormalization(await measureLoudness(measurement), target);
  let plan = await tunePlan(first, { target, sampleRate, measurement });
  let isTrimmed = false;
  const attempts: EncodingAttempt[] = [];
  while (plan && attempts.length < maxAttempts) {
    const filters = [stereo, ...planFilters(plan, sampleRate)];
    const after = await measureEncoded(file, stream, seconds, encoding, filters);
    attempts.push({ plan, after, isTrimmed });
    const next = planNextAttempt(attempts, target);
    if (!next) break;
    ({ plan, isTrimmed } = next);
  }
  return plan ? [stereo, ...planFilters(plan, sampleRate)] : [stereo];
}

/** The loudness after encoding, which is the same whenever the same audio is encoded. */
async function measureEncoded(
  { input, work, signal }: VideoFile,
  stream: AudioStream,
  seconds: number,
  encoding: AudioTrackEncoding,
  filters: readonly string[],
): Promise<Loudness> {
  const encoded = work.scratch("mp4");
  const args = [
    ...mapStream(stream.index),
    ...audioCodecArguments(stream, 0, "mp4", filters, encoding),
    ...limitDuration(seconds),
    ...videoContainer("mp4").muxer,
  ];
  await runFfmpeg({ work, signal, inputs: [{ file: input }], outputs: [{ file: encoded, args }] });
  return measureLoudness({ file: encoded, work, signal, stream: 0 });
}
