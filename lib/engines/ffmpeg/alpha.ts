import { decodeWith } from "./arguments.ts";
import type { MediaStream } from "./media-info.ts";

/** Videos with an alpha channel. */

/** Whether the alpha channel is a second VP8 or VP9 stream, which ffprobe does not report. */
export function hasSeparateAlpha({ codec, tags }: MediaStream): boolean {
  return /^vp[89]$/.test(codec ?? "") && tags.alpha_mode === "1";
}

/** Whether frames have an alpha channel. */
export function hasAlpha(video: MediaStream): boolean {
  return (
    hasSeparateAlpha(video) ||
    /^(yuva|gbrap|rgba|argb|bgra|abgr|ya\d)/.test(video.pixelFormat ?? "")
  );
}

/**
 * Filters that put the frames of `video` on black if they are transparent: without them, the colors
 * that transparency hides would show. They do not convert colors to RGB, whose matrix is not kept.
 */
export function putOnBlack(video: MediaStream): string[] {
  if (!hasAlpha(video)) return [];
  return ["format=yuva444p|yuva444p10le", "premultiply=inplace=1"];
}

/** Input arguments that decode the alpha channel of `video`: the native decoders drop it. */
export function alphaDecoder(video: MediaStream): string[] {
  if (!hasSeparateAlpha(video)) return [];
  return decodeWith(video.index, video.codec === "vp8" ? "libvpx" : "libvpx-vp9");
}
