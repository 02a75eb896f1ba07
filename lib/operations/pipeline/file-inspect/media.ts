import { createTagLimiter } from "#lib/engines/exiftool/limit-tags.ts";
import { type MediaStream, probe, toNumber } from "#lib/engines/ffmpeg/ffprobe.ts";
import {
  attempt,
  type Inspection,
  type Properties,
  unreadableProperties,
  withoutUndefined,
} from "./report.ts";

const maxChapters = 200;

/** Duration, bit rate, streams, chapters and tags, as ffprobe reads them. */
export async function inspectMedia({ input, work, signal }: Inspection): Promise<Properties> {
  const { value: info, problem } = await attempt(probe(input, work, signal));
  if (!info) return unreadableProperties(problem);
  const limitTags = createTagLimiter();
  const video = info.streams.find((stream) => stream.type === "video" && !stream.attachedPicture);
  return withoutUndefined({
    container: info.format,
    duration: info.duration,
    bit_rate: info.bitRate,
    width: video?.width,
    height: video?.height,
    rotation: video?.rotation,
    tags: limitTags(Object.entries(info.tags)),
    streams: info.streams.map((stream) => describeStream(stream, limitTags)),
    chapters: info.chapters
      .slice(0, maxChapters)
      .map(({ start, end, title }) =>
        withoutUndefined({ start, end, title: title?.slice(0, 200) }),
      ),
  });
}

function describeStream(
  stream: MediaStream,
  limitTags: ReturnType<typeof createTagLimiter>,
): Properties {
  const isVideo = stream.type === "video";
  return withoutUndefined({
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
    tags: limitTags(Object.entries(stream.tags)),
  });
}

/** The frames per second, rounded to six decimals. */
function toRate(stream: MediaStream): number | undefined {
  const rate = toNumber(stream.averageFrameRate) || toNumber(stream.frameRate);
  return rate > 0 ? Math.round(rate * 1e6) / 1e6 : undefined;
}
