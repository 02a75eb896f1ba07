import { alphaDecoder, hasAlpha } from "../alpha.ts";
import { keepFilterGraphOf } from "../arguments.ts";
import { toneMapFilters } from "../tone-map.ts";
import { isInterlaced } from "../video/choose-encoding.ts";
import { chooseColorMatrix, displayedFrame, type Frame, type VideoStream } from "../video-frame.ts";

/** Still images of video frames: upright, in square pixels, progressive, SDR. */

export const stillFormats = ["jpeg", "png", "webp"] as const;

export type StillFormat = (typeof stillFormats)[number];

interface StillTraits {
  readonly extension: string;
  readonly encode: readonly string[];
  /** Options of `scale` for the colors that the format declares or implies. */
  readonly colors: string;
  readonly pixelFormat: string;
  /** The pixel format of a video with alpha, if the format supports that. */
  readonly alphaPixelFormat?: string;
}

const rgb = { encode: ["-c:v:0", "png"], colors: "" } as const;

const traits: Record<StillFormat, StillTraits> = {
  jpeg: {
    extension: "jpg",
    encode: ["-c:v:0", "mjpeg", "-q:v:0", "2"],
    // JFIF: BT.601, full range.
    colors: ":out_color_matrix=bt601:out_range=pc",
    pixelFormat: "yuvj420p",
  },
  png: { ...rgb, extension: "png", pixelFormat: "rgb24", alphaPixelFormat: "rgba" },
  webp: {
    extension: "webp",
    encode: ["-c:v:0", "libwebp", "-quality:v:0", "85"],
    colors: ":out_color_matrix=bt601:out_range=tv",
    pixelFormat: "yuv420p",
    alphaPixelFormat: "yuva420p",
  },
};

/** The extension of files of `format`. */
export function stillExtension(format: StillFormat): string {
  return traits[format].extension;
}

/** Output arguments of the encoder of `format`. */
export function stillEncoder(format: StillFormat): readonly string[] {
  return traits[format].encode;
}

/** The longest side of an image in pixels; WebP supports no longer one. */
const maxSide = 16_383;

/** The displayed frame of `video`, scaled to `width` pixels, or less if it would be too high. */
export function stillFrame(video: VideoStream, width?: number): Frame {
  const frame = displayedFrame(video);
  const wanted = (width ?? frame.width) / frame.width;
  const scale = Math.min(wanted, maxSide / frame.width, maxSide / frame.height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(frame.width), height: scaled(frame.height) };
}

/** Filters that make frames of `video` still images of `format` and of the size `frame`. */
export function stillFilters(video: VideoStream, frame: Frame, format: StillFormat): string[] {
  const { colors, pixelFormat, alphaPixelFormat } = traits[format];
  const toneMap = toneMapFilters(video);
  const matrix = toneMap.length > 0 ? "bt709" : chooseColorMatrix(video, video.height);
  const scale = `scale=${frame.width}:${frame.height}:flags=lanczos:in_color_matrix=${matrix}`;
  // A format without transparency shows the frame on black, not the colors that it hides.
  const isFlattened = hasAlpha(video) && alphaPixelFormat === undefined;
  return [
    // In one frame only: those around it may be seconds away.
    ...(isInterlaced(video) ? ["estdif=mode=frame"] : []),
    ...toneMap,
    ...(isFlattened ? [scale, ...stillColors(format)] : [`${scale}${colors}`]),
    "setsar=1",
    `format=${(hasAlpha(video) && alphaPixelFormat) || pixelFormat}`,
  ];
}

/** Filters that convert RGB, on black where it is transparent, to the colors of `format`. */
export function stillColors(format: StillFormat): string[] {
  const { colors, pixelFormat } = traits[format];
  const onBlack = ["format=gbrap", "premultiply=inplace=1", "format=gbrp"];
  return [...onBlack, `scale=iw:ih${colors}`, `format=${pixelFormat}`];
}

/** Input arguments with which the frames of `video` are decoded for still images. */
export function stillInput(video: VideoStream): string[] {
  return [...alphaDecoder(video), ...keepFilterGraphOf(video)];
}
