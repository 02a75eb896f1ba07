import { type VideoContainerId, videoCodecArguments } from "#lib/engines/ffmpeg/video-formats.ts";
import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";

/** Presets of x264 and x265, from the fastest to the smallest output. */
export const presets = [
  "ultrafast",
  "superfast",
  "veryfast",
  "faster",
  "fast",
  "medium",
  "slow",
  "slower",
  "veryslow",
] as const;

export type Preset = (typeof presets)[number];

export interface RateControl {
  /** The constant rate factor: 0 to 51 for H.264 and H.265, 0 to 63 for VP9 and AV1. */
  readonly crf?: number | undefined;
  /** The bit rate in bit/s, instead of `crf`. */
  readonly bitRate?: number | undefined;
  readonly preset: Preset;
}

/** Qualities at which the loss is hardly visible, each with the size that is usual for its codec. */
const defaultCrf: Readonly<Record<string, number>> = { h264: 23, hevc: 26, vp9: 32, av1: 32 };

/** The speed of libvpx and libaom by preset; above 5 or 6 they need the realtime mode. */
const speeds: Readonly<Record<string, readonly number[]>> = {
  vp9: [8, 7, 6, 5, 4, 3, 2, 1, 0],
  av1: [8, 8, 7, 6, 6, 5, 4, 3, 2],
};
const maxGoodSpeed: Readonly<Record<string, number>> = { vp9: 5, av1: 6 };

/** The arguments of `videoCodecArguments` with another quality or bit rate, and another speed. */
export function rateControlArguments(
  codec: string,
  container: VideoContainerId,
  frame: Frame,
  { crf, bitRate, preset }: RateControl,
): string[] {
  const quality = bitRate === undefined ? (crf ?? defaultCrf[codec] ?? 23) : -1;
  const options: [string, string][] = [["-crf", `${quality}`]];
  if (bitRate !== undefined) options.push(["-b:v", `${bitRate}`]);
  const speed = speeds[codec]?.[presets.indexOf(preset)];
  if (speed === undefined) {
    options.push(["-preset", preset]);
  } else {
    const mode = speed > (maxGoodSpeed[codec] ?? 5) ? "realtime" : "good";
    options.push([codec === "av1" ? "-usage" : "-deadline", mode], ["-cpu-used", `${speed}`]);
  }
  const args = videoCodecArguments(codec, container, frame);
  for (const [name, value] of options) {
    const at = args.indexOf(name);
    if (at < 0) args.push(name, value);
    else args[at + 1] = value;
  }
  return args;
}
