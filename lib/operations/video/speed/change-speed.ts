import { limitDuration } from "#lib/engines/ffmpeg/arguments.ts";
import { moveChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import { countSamples } from "#lib/engines/ffmpeg/audio/count-samples.ts";
import { type AudioStream, isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { toNumber } from "#lib/engines/ffmpeg/media-info.ts";
import { scaleTimes } from "#lib/engines/ffmpeg/packet-arguments.ts";
import { constantRate } from "#lib/engines/ffmpeg/video/constant-rate.ts";
import { copyVideo } from "#lib/engines/ffmpeg/video/copy-video.ts";
import {
  filterVideo,
  type VideoFile,
  type VideoOutput,
} from "#lib/engines/ffmpeg/video/filter-video.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { tempoFilters } from "../../shared/audio/change-tempo.ts";

/** Frames per second up to which the frames of a faster video are all kept. */
const maxRate = 60;

/** Larger frames are mixed, because finding the motion in them takes minutes per second. */
const maxMotionPixels = 1280 * 720;

/** Containers that store the time of every packet. */
const timedContainers = ["mp4", "mov", "3gp", "mkv", "webm", "mpegts"];

/**
 * Plays a video `factor` times as fast. Its packets are copied with other times if no frame is made or
 * dropped. Throws what `runFfmpeg` throws.
 */
export async function changeSpeed(
  file: VideoFile,
  factor: number,
  smooth: boolean,
): Promise<VideoOutput> {
  const { info, video, input } = file;
  const duration = info.duration === undefined ? undefined : info.duration / factor;
  const lengths = await measureTracks(file);
  const changes = {
    audioFilters: (stream: AudioStream) => audioFilters(file, stream, factor, lengths),
    subtitlePackets: scaleTimes(factor),
    chapters: moveChapters(info.chapters, (seconds) => seconds / factor, duration ?? 0),
    duration,
  };
  const rate = Math.max(toNumber(video.frameRate), toNumber(video.averageFrameRate));
  const isTimed = timedContainers.includes(toVideoContainer(input.type.id));
  const isSmooth = smooth && factor < 1;
  if (isTimed && !isSmooth && (factor <= 1 || rate * factor <= maxRate)) {
    return copyVideo({ ...file, ...changes, packets: [scaleTimes(factor)] });
  }
  const fps = video.averageFrameRate ?? { numerator: 30, denominator: 1 };
  const isLarge = video.width * video.height > maxMotionPixels;
  // The filter needs two frames after each, so that the last is repeated.
  const interpolate = [
    "tpad=stop=2:stop_mode=clone",
    `setpts=PTS/${factor}`,
    `minterpolate=fps=${fps.numerator}/${fps.denominator}:mi_mode=${isLarge ? "blend" : "mci"}`,
  ];
  const filters = isSmooth ? interpolate : [`setpts=PTS/${factor}`, constantRate(fps, duration)];
  const outputArguments = duration === undefined ? [] : limitDuration(duration);
  return filterVideo({ ...file, ...changes, filters, outputArguments });
}

/** The duration of each audio track in seconds, by its index. */
async function measureTracks({ input, info, work, signal }: VideoFile) {
  const lengths = new Map<number, number>();
  for (const { index, sampleRate } of info.streams.filter(isDecodableAudio)) {
    const samples = await countSamples({ file: input, work, signal, stream: index });
    lengths.set(index, samples / sampleRate);
  }
  return lengths;
}

function audioFilters(
  { info }: VideoFile,
  { index, startTime = 0 }: AudioStream,
  factor: number,
  lengths: ReadonlyMap<number, number>,
): string[] {
  const delay = Math.max(0, startTime - (info.startTime ?? 0));
  // Silence up to the start of the track keeps it with the video.
  const align = delay > 0.001 ? ["aresample=async=1:first_pts=0"] : [];
  return [...align, ...tempoFilters(factor, (lengths.get(index) ?? 0) + delay)];
}
