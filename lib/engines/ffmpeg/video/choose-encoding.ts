import type { MediaTypeId } from "#lib/media/types.ts";
import { hasSeparateAlpha } from "../alpha.ts";
import { keepFrameTimes } from "../arguments.ts";
import { type MediaStream, toNumber } from "../media-info.ts";
import { keepInterlacing } from "../packet-arguments.ts";
import { chooseVideoCodec, toVideoContainer, type VideoContainerId } from "../video-formats.ts";

/** How a video is encoded again after filtering, as similar to its source as the container allows. */
export interface VideoEncoding {
  readonly container: VideoContainerId;
  readonly codec: string;
  /** The name of the pixel format in ffmpeg; undefined if the encoder chooses it. */
  readonly pixelFormat: string | undefined;
  /** Both sides of a frame must be multiples of it: 2 for most codecs, otherwise 1. */
  readonly sideStep: 1 | 2;
}

/** Codecs that support frames with odd sides in every pixel format. */
const oddSizeCodecs = /^(vp8|vp9|av1|ffv1|png|qtrle|rawvideo|huffyuv|ffvhuff|mjpeg)$/;

/** Formats that are kept; the encoder chooses another one for palettes, for example. */
const keptFormats = /^(yuv|gray|gbr|rgb|bgr|argb|abgr)/;

/** The encoding of `video` in the container of its file, which is of the type `type`. */
export function chooseEncoding(type: MediaTypeId, video: MediaStream): VideoEncoding {
  const container = toVideoContainer(type);
  const codec = chooseVideoCodec(container, video.codec);
  const sideStep = oddSizeCodecs.test(codec) ? 1 : 2;
  return { container, codec, pixelFormat: choosePixelFormat(codec, video), sideStep };
}

function choosePixelFormat(codec: string, video: MediaStream): string | undefined {
  if (codec !== video.codec) return "yuv420p";
  if (hasSeparateAlpha(video)) return "yuva420p";
  return keptFormats.test(video.pixelFormat ?? "") ? video.pixelFormat : undefined;
}

/** Codecs whose streams have one frame rate and no time base as fine as that of a container. */
const constantRateCodecs = /^(mpeg1video|mpeg2video|mpeg4|theora)$/;

/** Output arguments that keep the time of every frame, as far as codec and container can. */
export function frameTimeArguments(
  { codec, container }: Pick<VideoEncoding, "codec" | "container">,
  video: MediaStream,
): string[] {
  const isConstant = constantRateCodecs.test(codec) || countsFrames(container);
  return isConstant ? [] : keepFrameTimes(video.timeBase);
}

/** Whether the container has no times: frames follow each other at one rate. */
function countsFrames(container: VideoContainerId): boolean {
  return container === "avi" || container === "ogv";
}

/** Frames per second, above which a rate is no longer that of a camera but the precision of times. */
const maxRepeatedRate = 120;

/**
 * Filters that repeat frames where the output has no times and `video` leaves some out. ffmpeg itself would
 * show the frame after a gap too early, by one frame.
 */
export function repeatFrames(
  { container }: Pick<VideoEncoding, "container">,
  { frameRate }: MediaStream,
): string[] {
  if (!frameRate || !countsFrames(container) || toNumber(frameRate) > maxRepeatedRate) return [];
  return [`fps=${frameRate.numerator}/${frameRate.denominator}`];
}

/** Whether frames consist of two fields of different times. */
export function isInterlaced({ fieldOrder = "" }: MediaStream): boolean {
  return ["tt", "bb", "tb", "bt"].includes(fieldOrder);
}

/** Codecs whose encoders keep the fields of interlaced frames apart. */
const interlacedCodecs = /^(h264|mpeg2video|prores)$/;

/** Output arguments that keep the fields of `video` apart if the codec can. */
export function interlacingArguments(codec: string, video: MediaStream): readonly string[] {
  return interlacedCodecs.test(codec) && isInterlaced(video) ? keepInterlacing : [];
}

/**
 * Filters that make one whole frame of the two fields of each frame. With `codec`, only if it cannot
 * keep them apart. None for a progressive video.
 */
export function deinterlaceFilters(video: MediaStream, codec?: string): string[] {
  const canKeep = codec !== undefined && interlacedCodecs.test(codec);
  return isInterlaced(video) && !canKeep ? ["bwdif=mode=send_frame"] : [];
}
