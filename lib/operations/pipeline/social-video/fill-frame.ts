import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import { blurredBackground } from "../../shared/video/fit-to-ratio.ts";

/** The share of a video that may be cut off, so that it fills the frame without a background. */
const maxCut = 0.12;

/**
 * Filters that make frames of the size `source`, in square pixels, as large as `target`: cut at two
 * edges if hardly anything is lost, else whole on a blurred copy of themselves.
 */
export function fillFrame(source: Frame, target: Frame): string[] {
  const ratio = source.width / source.height;
  const wanted = target.width / target.height;
  const cut = 1 - Math.min(ratio / wanted, wanted / ratio);
  if (cut <= maxCut) {
    const scale = Math.max(target.width / source.width, target.height / source.height);
    const covers = {
      width: Math.ceil(source.width * scale),
      height: Math.ceil(source.height * scale),
    };
    return [scaleTo(covers), "setsar=1", `crop=${target.width}:${target.height}`];
  }
  const scale = Math.min(target.width / source.width, target.height / source.height);
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2));
  const fits = { width: even(source.width), height: even(source.height) };
  return [scaleTo(fits), "setsar=1", ...blurredBackground(target)];
}

function scaleTo({ width, height }: Frame): string {
  return `scale=${width}:${height}:flags=lanczos`;
}
