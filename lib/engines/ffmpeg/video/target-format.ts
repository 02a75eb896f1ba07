import { hasAlpha, putOnBlack } from "../alpha.ts";
import type { MediaStream } from "../media-info.ts";
import { toneMapFilters } from "../tone-map.ts";
import type { VideoContainerId } from "../video-formats.ts";
import { isDeep } from "../video-frame.ts";
import type { VideoEncoding } from "./choose-encoding.ts";

/**
 * The encoding of `video` in another codec, and the filters before it. H.264 is 8-bit SDR, which all
 * players can show; other codecs keep 10 bits and HDR. Transparency is kept by VP9 in WebM and Matroska;
 * elsewhere the video is put on black. Frames have even sides.
 */
export function targetFormat(
  video: MediaStream,
  codec: string,
  container: VideoContainerId,
): { encoding: VideoEncoding; filters: string[] } {
  const keepsAlpha =
    hasAlpha(video) && codec === "vp9" && (container === "webm" || container === "mkv");
  const pixelFormat = keepsAlpha
    ? "yuva420p"
    : isDeep(video) && codec !== "h264"
      ? "yuv420p10le"
      : "yuv420p";
  return {
    encoding: { container, codec, pixelFormat, sideStep: 2 },
    filters: [
      ...(codec === "h264" ? toneMapFilters(video) : []),
      ...(keepsAlpha ? [] : putOnBlack(video)),
    ],
  };
}
