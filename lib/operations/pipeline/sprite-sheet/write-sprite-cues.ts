import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import { splitTime } from "#lib/formats/subtitles/cues.ts";

export interface SpriteCues {
  /** The file name of the image, next to which the WebVTT file is. */
  readonly image: string;
  readonly count: number;
  readonly columns: number;
  /** The size of each frame. */
  readonly frame: Frame;
  /** The interval in seconds. */
  readonly interval: number;
  readonly duration: number;
}

/**
 * A WebVTT file whose cues name a box of the image, as players read it for previews on the timeline:
 * `photo.jpg#xywh=160,0,160,90` (https://www.w3.org/TR/media-frags/).
 */
export function writeSpriteCues(sprites: SpriteCues): string {
  const { image, count, columns, frame, interval, duration } = sprites;
  const { width, height } = frame;
  const cues = Array.from({ length: count }, (_, index) => {
    const start = index * interval;
    const isLast = index === count - 1;
    const end = isLast ? Math.max(duration, start + 0.001) : start + interval;
    const left = (index % columns) * width;
    const top = Math.floor(index / columns) * height;
    const box = `#xywh=${left},${top},${width},${height}`;
    return `${formatTime(start)} --> ${formatTime(end)}\n${encodeURIComponent(image)}${box}`;
  });
  return `WEBVTT\n\n${cues.join("\n\n")}\n`;
}

function formatTime(seconds: number): string {
  const [clock, rest] = splitTime(Math.round(seconds * 1000), 2);
  return `${clock}.${`${rest}`.padStart(3, "0")}`;
}
