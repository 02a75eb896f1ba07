import type { Rational } from "#lib/engines/ffmpeg/media-info.ts";
import type { Colors } from "./join-colors.ts";

export const transitions = ["none", "fade", "dissolve", "wipe"] as const;

export type Transition = (typeof transitions)[number];

/** The format that all files get. */
export interface JoinFormat {
  /** The width in pixels, which is even. */
  readonly width: number;
  readonly height: number;
  readonly rate: Rational;
  /** Those of the first file; BT.709 if it is HDR or RGB. */
  readonly colors: Colors;
  /** The number of channels; 0 if no file has audio. */
  readonly channels: 0 | 2 | 6;
}

/** The sample rate in Hz. */
export const joinedSampleRate = 48_000;
