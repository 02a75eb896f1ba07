import { hasAlpha } from "#lib/engines/ffmpeg/alpha.ts";
import {
  chooseColorMatrix,
  type Frame,
  type VideoStream,
} from "#lib/engines/ffmpeg/video-frame.ts";
import { parseColor } from "#lib/media/color.ts";

/** The shares of red and blue in luma, by color matrix (ITU-T H.273, table 4). */
const lumaShares: Readonly<Record<string, readonly [number, number]>> = {
  bt709: [0.2126, 0.0722],
  bt2020: [0.2627, 0.0593],
  smpte240m: [0.212, 0.087],
  fcc: [0.3, 0.11],
};
/** ITU-R BT.601. */
const defaultShares = [0.299, 0.114] as const;

/** The formats whose resolution and depth the overlay of ffmpeg 5.1 keeps. */
const overlaidFormats = /^yuv(j?4(20|22|44)p|4(20|22)p10le)$/;

/**
 * Filters that put the frames of `video` in the middle of a frame of one color. ffmpeg's own filter for that
 * computes all colors as in BT.601: it serves where that is right, in RGB, and where an overlay would lose
 * detail or transparency.
 */
export function solidBorder(video: VideoStream, frame: Frame, color: string): string[] {
  const size = `${frame.width}:${frame.height}`;
  if (!overlaidFormats.test(video.pixelFormat ?? "") || hasAlpha(video)) {
    return [`pad=${size}:(ow-iw)/2:(oh-ih)/2:color=${ffmpegColor(color)}`];
  }
  return [
    `split[front][back];[back]scale=${size}:flags=fast_bilinear`,
    // Only these are supported when frames are put on others.
    `format=${video.pixelFormat?.replace("yuvj", "yuv")}`,
    constantColor(video, color),
    "setsar=1[border];[border][front]overlay=(W-w)/2:(H-h)/2:format=auto",
  ];
}

/** The filter that gives all pixels of `video` one color. */
function constantColor(video: VideoStream, color: string): string {
  const { red, green, blue } = parseColor(color);
  const matrix = chooseColorMatrix(video, video.height);
  const [kr, kb] = lumaShares[matrix] ?? defaultShares;
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const luma = kr * r + (1 - kr - kb) * g + kb * b;
  const chroma = [(b - luma) / (2 * (1 - kb)), (r - luma) / (2 * (1 - kr))];
  const isFull = video.colorRange === "pc" && !video.pixelFormat?.startsWith("yuvj");
  const levels = [
    isFull ? 255 * luma : 16 + 219 * luma,
    ...chroma.map((share) => 128 + (isFull ? 255 : 224) * share),
  ];
  // The filter's `maxval` is that of the limited range.
  const largest = [235, 240, 240];
  const planes = levels.map((level, plane) => {
    const share = (level / (largest[plane] ?? 240)).toFixed(6);
    return `${"yuv"[plane]}='round(maxval*${share})'`;
  });
  return `lutyuv=${planes.join(":")}`;
}

function ffmpegColor(text: string): string {
  const { red, green, blue, alpha } = parseColor(text);
  const digits = [red, green, blue].map((value) => value.toString(16).padStart(2, "0")).join("");
  return `0x${digits}@${alpha.toFixed(3)}`;
}
