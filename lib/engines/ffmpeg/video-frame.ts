import { type MediaStream, toNumber } from "./media-info.ts";

/** The size of a frame after rotation. */
export interface Frame {
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
}

/** A video stream whose size is known. */
export type VideoStream = MediaStream & Frame;

/** Whether a video has more than 8 bits per channel. */
export function isDeep({ pixelFormat = "" }: Pick<MediaStream, "pixelFormat">): boolean {
  return /(?:9|1[0-6]|32|48|64)(?:le|be)$/.test(pixelFormat);
}

/** The frame of `video` after rotation, and the aspect ratio of its pixels. */
export function rotatedFrame(video: VideoStream): Frame & { pixelAspect: number } {
  const { width, height } = video;
  const aspect = toNumber(video.sampleAspectRatio) || 1;
  // Other values occur in damaged headers only.
  const pixelAspect = aspect >= 0.1 && aspect <= 10 ? aspect : 1;
  if (video.rotation === 90 || video.rotation === 270) {
    return { width: height, height: width, pixelAspect: 1 / pixelAspect };
  }
  return { width, height, pixelAspect };
}

/** The frame of `video` in square pixels, as it is displayed. */
export function displayedFrame(video: VideoStream): Frame {
  const { width, height, pixelAspect } = rotatedFrame(video);
  return { width: Math.max(1, Math.round(width * pixelAspect)), height };
}

/** Returns `frame` with its sides rounded up to even numbers, which 4:2:0 subsampling requires. */
export function evenFrame({ width, height }: Frame): Frame {
  return { width: width + (width % 2), height: height + (height % 2) };
}

/**
 * Filters that scale frames of any size to `frame` and pad them to `target` by repeating the last
 * column and row. `range` is that of the output's color values.
 */
export function fitFrameFilters(
  frame: Frame,
  target: Frame,
  pixelFormat: string,
  range: "tv" | "pc",
): string[] {
  const fit = `scale=${frame.width}:${frame.height}:out_range=${range}`;
  const right = target.width - frame.width;
  const bottom = target.height - frame.height;
  if (right + bottom === 0) return [fit, `format=${pixelFormat}`];
  // Padding by one pixel is not possible with subsampled chroma.
  const pad = [
    `pad=${target.width}:${target.height}`,
    `fillborders=right=${right}:bottom=${bottom}:mode=smear`,
  ];
  return [fit, "format=yuv444p", ...pad, `format=${pixelFormat}`];
}

/** The color matrix of the video. If it is not declared, it depends on the size, as in players. */
export function chooseColorMatrix(video: MediaStream, height: number): string {
  const declared = video.colorSpace ?? "";
  if (["bt709", "smpte170m", "bt470bg", "smpte240m", "fcc"].includes(declared)) return declared;
  if (declared.startsWith("bt2020")) return "bt2020";
  return height >= 720 ? "bt709" : "smpte170m";
}

/**
 * Filters that declare the colors of `video` if it does not: where frames get another `height`, players
 * could take them for those of the other standard. None if they will not.
 */
export function declareColors(video: VideoStream, height: number): string[] {
  const { colorSpace, colorPrimaries, colorTransfer, pixelFormat = "" } = video;
  const isDeclared = (colorSpace ?? colorPrimaries ?? colorTransfer) !== undefined;
  if (isDeclared || !pixelFormat.startsWith("yuv")) return [];
  const standard = chooseColorMatrix(video, video.height);
  if (standard === chooseColorMatrix(video, height)) return [];
  return [`setparams=color_primaries=${standard}:color_trc=${standard}:colorspace=${standard}`];
}
