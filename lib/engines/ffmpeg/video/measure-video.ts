import { isDecodableAudio } from "../audio-streams.ts";
import { runProbe } from "../ffprobe.ts";
import type { MediaInfo, MediaStream } from "../media-info.ts";
import type { VideoFile } from "./filter-video.ts";
import { readVideoPackets } from "./read-packets.ts";
import { steadyRate } from "./steady-rate.ts";

/** The last frame is held for audio that lasts longer than the video by more than this, in seconds. */
const maxLostAudio = 0.5;

/** Frames that are shown for less, in seconds, have no duration but the smallest unit of the container. */
const minDuration = 0.005;

/** Durations that differ by less, in seconds, are those of one file. */
const tolerance = 0.1;

/**
 * How long a video lasts, in seconds from the start of the file: until its last frame ends or, if its audio is
 * clearly longer, until that ends, as in a player. It reads the whole file; with `trustsHeader`, only if frames
 * are at irregular times. Throws what `runProbe` throws.
 */
export async function measureVideo(file: VideoFile, trustsHeader = false): Promise<number> {
  const { info, video } = file;
  const isDeclared = trustsHeader && steadyRate(video) !== undefined;
  const end = (isDeclared ? declaredEnd(info, video) : undefined) ?? (await lastFrameEnd(file));
  const isLongest = info.streams
    .filter(isDecodableAudio)
    .every((stream) => (declaredEnd(info, stream) ?? info.duration ?? 0) <= end + maxLostAudio);
  if (isLongest) return end;
  const audioEnd = await lastAudioEnd(file);
  return audioEnd > end + maxLostAudio ? audioEnd : end;
}

/** When a stream ends by the header of the file; undefined if it does not say that. */
export function declaredEnd(info: MediaInfo, { startTime = 0, duration }: MediaStream) {
  if (duration === undefined) return undefined;
  return Math.max(0, startTime - (info.startTime ?? 0)) + duration;
}

async function lastFrameEnd({ input, info, video, work, signal }: VideoFile): Promise<number> {
  const packets = await readVideoPackets(input, info, video, work, signal);
  const sorted = packets.toSorted((a, b) => a.time - b.time);
  const last = sorted.at(-1);
  const total = info.duration ?? 0;
  if (!last) return total;
  const span = last.time - (sorted[0]?.time ?? 0);
  const average = sorted.length > 1 ? span / (sorted.length - 1) : (info.duration ?? 0.04);
  const { duration = 0 } = last;
  const end = last.time + (duration < minDuration ? average : duration);
  // Where frames have no duration, ffprobe reports the average one, too.
  return total > last.time && end > total + tolerance ? total : end;
}

async function lastAudioEnd({ input, info, work, signal }: VideoFile): Promise<number> {
  const origin = info.startTime ?? 0;
  let last = 0;
  const args = ["-of", "csv=p=0", "-select_streams", "a"];
  args.push("-show_entries", "packet=pts_time,duration_time");
  await runProbe(input, work, signal, args, (line) => {
    const [time = Number.NaN, duration = 0] = line.split(",").map(Number);
    if (Number.isFinite(time)) last = Math.max(last, time - origin + (duration || 0));
  });
  return last;
}
