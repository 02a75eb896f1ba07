import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";

interface Platform {
  readonly frame: Frame;
  /** The longest duration in seconds. */
  readonly maxDuration?: number;
  readonly label: string;
}

/** What the apps of social networks show without cutting or encoding it badly. */
export const platforms = {
  reel: { frame: { width: 1080, height: 1920 }, maxDuration: 90, label: "9:16, at most 90 s" },
  story: { frame: { width: 1080, height: 1920 }, maxDuration: 60, label: "9:16, at most 60 s" },
  square: { frame: { width: 1080, height: 1080 }, label: "1:1" },
  landscape: { frame: { width: 1920, height: 1080 }, label: "16:9" },
} as const satisfies Record<string, Platform>;

export type PlatformName = keyof typeof platforms;

export const platformNames = Object.keys(platforms) as [PlatformName, ...PlatformName[]];

/** The frame of a platform, and its limit in seconds. */
export function platform(name: PlatformName): Platform {
  return platforms[name];
}

/**
 * The loudness in LUFS and the true peak in dBTP, which most networks play without changing them.
 */
export const loudnessTarget = { loudness: -14, truePeak: -1 } as const;

/** The most that a file has. Uploads of all networks take it. */
export const maxBytes = 100_000_000;

/** The highest frame rate, in frames per second. */
export const maxFrameRate = 60;

/** The bit rate of the audio in bit/s, which has at most two channels. */
export const audioBitRate = 160_000;

/**
 * The lowest bit rate of the video in bit/s. Less looks bad in any of the frames, more is encoded
 * again by the networks.
 */
const minVideoRate = 400_000;
const maxVideoRate = 10_000_000;

/**
 * The highest bit rate with which `seconds` of video and audio fit into `maxBytes`. Undefined if it would
 * be too low to look good.
 */
export function chooseVideoRate(seconds: number): number | undefined {
  // 2 % for the container, and for the buffer that the rate is averaged over.
  const total = (maxBytes * 8 * 0.98) / Math.max(1, seconds);
  const rate = Math.min(maxVideoRate, Math.floor(total - audioBitRate));
  return rate >= minVideoRate ? rate : undefined;
}
