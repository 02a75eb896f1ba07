import { type MediaStream, probe, toNumber } from "#lib/engines/ffmpeg/ffprobe.ts";
import {
  attempt,
  createTagKeeper,
  type Figures,
  type Inspection,
  known,
  unreadable,
} from "./report.ts";

const maxChapters = 200;

/** `duration bit_rate streams[]` as ffprobe reads them, chapters and tags. */
export async function inspectMedia({ input, work, signal }: Inspection): Promise<Figures> {
  const { value: info, problem } = await attempt(probe(input, work, signal));
  if (!info) return unreadable(problem);
  const keep = createTagKeeper();
  const film = info.streams.find((stream) => stream.type === "video" && !stream.attachedPicture);
  return known({
    container: info.format,
    duration: info.duration,
    bit_rate: info.bitRate,
    width: film?.width,
    height: film?.height,
    rotation: film?.rotation,
    tags: keep(Object.entries(info.tags)),
    streams: info.streams.map((stream) => describeStream(stream, keep)),
    chapters: info.chapters
      .slice(0, maxChapters)
      .map(({ start, end, title }) => known({ start, end, title: title?.slice(0, 200) })),
  });
}

function describeStream(stream: MediaStream, keep: ReturnType<typeof createTagKeeper>): Figures {
  const isVideo = stream.type === "video";
  return known({
    index: stream.index,
    type: stream.type,
    codec: stream.codec,
    profile: stream.profile,
    width: stream.width,
    height: stream.height,
    rotation: isVideo ? stream.rotation : undefined,
    frame_rate: isVideo ? toRate(stream) : undefined,
    pixel_format: stream.pixelFormat,
    color_space: stream.colorSpace,
    sample_rate: stream.sampleRate,
    channels: stream.channels,
    channel_layout: stream.channelLayout,
    bit_rate: stream.bitRate,
    duration: stream.duration,
    start_time: stream.startTime,
    frames: stream.frameCount,
    is_cover: stream.attachedPicture ? true : undefined,
    is_default: stream.disposition.default === 1,
    tags: keep(Object.entries(stream.tags)),
  });
}

/** Frames a second, to the microsecond that ffprobe counts in. */
function toRate(stream: MediaStream): number | undefined {
  const rate = toNumber(stream.averageFrameRate) || toNumber(stream.frameRate);
  return rate > 0 ? Math.round(rate * 1e6) / 1e6 : undefined;
}
