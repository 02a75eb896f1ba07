import { displayedFrame, type Frame, type VideoStream } from "#lib/engines/ffmpeg/video-frame.ts";
import { solidBorder } from "./solid-border.ts";

interface FitOptions {
  readonly mode: "pad" | "crop" | "blur";
  readonly color: string;
}

/** The blurred background is so much smaller than the frame while it is blurred. */
const blurScale = 8;

/**
 * Filters that give the frames of `video`, scaled to square pixels, the `ratio` of width to height, and
 * the size of the result. Its sides are multiples of `step`; content is neither scaled nor distorted.
 */
export function fitToRatio(
  video: VideoStream,
  ratio: number,
  { mode, color }: FitOptions,
  step: 1 | 2,
): { filters: string[]; frame: Frame } {
  const source = displayedFrame(video);
  const isWider = ratio > source.width / source.height;
  const matchesWidth = (mode === "crop") === isWider;
  const exact = matchesWidth
    ? { width: source.width, height: source.width / ratio }
    : { width: source.height * ratio, height: source.height };
  // Products of ratios are not exact.
  const round = (steps: number) =>
    mode === "crop" ? Math.floor(steps + 0.001) : Math.ceil(steps - 0.001);
  const toStep = (side: number) => Math.max(step, round(side / step) * step);
  // A difference of less than a step is no border.
  const isClose =
    Math.abs(exact.width - source.width) < 1 && Math.abs(exact.height - source.height) < 1;
  if (isClose) return { filters: [], frame: source };
  const frame = { width: toStep(exact.width), height: toStep(exact.height) };
  if (mode === "crop") return { filters: [`crop=${frame.width}:${frame.height}`], frame };
  if (mode === "pad") return { filters: solidBorder(video, frame, color), frame };
  return { filters: blurredBackground(frame), frame };
}

/** Filters that put frames, which fit into `frame`, on a blurred copy of themselves that fills it. */
export function blurredBackground(frame: Frame): string[] {
  const small = {
    width: Math.max(2, Math.round(frame.width / blurScale)),
    height: Math.max(2, Math.round(frame.height / blurScale)),
  };
  const cover = `scale=${small.width}:${small.height}:force_original_aspect_ratio=increase`;
  const sigma = Math.max(1, Math.min(small.width, small.height) / 25).toFixed(2);
  return [
    `split[front][back];[back]${cover}`,
    `crop=${small.width}:${small.height}`,
    `gblur=sigma=${sigma}:steps=2`,
    `scale=${frame.width}:${frame.height}:flags=bicubic`,
    "setsar=1[blurred];[blurred][front]overlay=(W-w)/2:(H-h)/2:format=auto",
  ];
}
