import { type AudioFilterRequest, filterAudio } from "#lib/engines/ffmpeg/audio/filter-audio.ts";
import {
  type AudioStream,
  isDecodableAudio,
  requireAudio,
} from "#lib/engines/ffmpeg/audio-streams.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";

type Source = Pick<AudioFilterRequest, "input" | "info" | "work" | "signal" | "progress">;

export interface TracksRequest extends Source {
  /** The filters of a track, which must not change its times. */
  readonly filters: (stream: AudioStream) => readonly string[];
}

/**
 * Applies filters to every audio track of a file, and keeps everything else. Throws `JobError`
 * `unsupported_type` if it has no audio, `corrupt` if none can be decoded, and what `runFfmpeg` throws.
 */
export async function filterTracks(
  request: TracksRequest,
): Promise<WorkFile & { readonly duration?: number }> {
  const { input, info, work } = request;
  requireAudio(info);
  const tracks = info.streams.filter(isDecodableAudio);
  const output = work.output(input.extension);
  const { seconds } = await filterAudio({
    ...request,
    output,
    filters: new Map(tracks.map((stream) => [stream.index, request.filters(stream)])),
  });
  if (seconds === 0) throw new JobError("corrupt", "The audio in this file cannot be decoded.");
  return { ...output, ...(info.duration === undefined ? {} : { duration: info.duration }) };
}
