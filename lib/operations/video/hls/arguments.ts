import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";

/** Options of ffmpeg for HTTP Live Streaming. */

export const hlsCodecs = ["h264", "h265"] as const;

/** H.264 is in MPEG-TS, which every player reads; Apple's players read H.265 only in MP4. */
export type HlsCodec = (typeof hlsCodecs)[number];

/** The extension of the segments. */
export function segmentExtension(codec: HlsCodec): "ts" | "m4s" {
  return codec === "h264" ? "ts" : "m4s";
}

/** The name of the file in the work folder with what precedes the segments in MP4. */
export function initName({ name }: WorkFile): string {
  return name.replace(/\.m3u8$/, "-init.mp4");
}

/** Seconds by which times in segments are later than in the video. The muxer of MPEG-TS adds 1.4. */
export function segmentOffset(codec: HlsCodec): number {
  return codec === "h264" ? 2.4 : 1;
}

/**
 * Output: segments of `seconds`, next to the playlist `playlist`, a scratch file. All streams of a
 * presentation start at the same time: without the offset, a stream whose first packet is before 0 would
 * be moved.
 */
export function writeSegments(playlist: WorkFile, codec: HlsCodec, seconds: number): string[] {
  const stem = playlist.name.replace(/\.m3u8$/, "");
  const init = initName(playlist).slice("tmp/".length);
  return [
    "-output_ts_offset",
    "1",
    "-f",
    "hls",
    "-hls_time",
    `${seconds}`,
    "-hls_list_size",
    "0",
    ...[
      "-hls_playlist_type",
      "vod",
      "-hls_segment_filename",
      `${stem}-%d.${segmentExtension(codec)}`,
    ],
    ...(codec === "h264" ? [] : ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", init]),
  ];
}

/** Bit/s of 1080p H.264 with much motion at 30 frames/s. */
const referenceRate = 6_000_000;

/** The highest bit rate of a rendition in bit/s. Small frames need more bits for each pixel. */
export function maxBitRate({ width, height }: Frame, fps: number, codec: HlsCodec): number {
  const share = ((width * height) / (1920 * 1080)) ** 0.75;
  return Math.round(referenceRate * share * (fps > 40 ? 1.5 : 1) * (codec === "h264" ? 1 : 0.65));
}

/**
 * Output: encodes the video with a key frame every `gop` seconds and nowhere else, so that those of all
 * renditions are at the same times.
 */
export function encodeRendition(codec: HlsCodec, bitRate: number, gop: number): string[] {
  const encoder =
    codec === "h264"
      ? ["libx264", "-profile:v", "high", "-crf", "21", "-sc_threshold", "0"]
      : ["libx265", "-tag:v", "hvc1", "-crf", "24", "-x265-params", hevcOptions];
  return [
    "-c:v",
    ...encoder,
    "-preset",
    "veryfast",
    "-pix_fmt",
    "yuv420p",
    "-maxrate",
    `${bitRate}`,
    "-bufsize",
    `${bitRate * 2}`,
    "-g",
    "100000",
    "-forced-idr",
    "1",
    "-force_key_frames",
    `expr:gte(t,n_forced*${gop})`,
  ];
}

const hevcOptions = "log-level=error:open-gop=0:scenecut=0:keyint=-1:frame-threads=1";
