import type { MediaTypeId } from "#lib/media/types.ts";
import type { AudioFormat } from "./audio-formats.ts";
import type { Frame } from "./video-frame.ts";

/** What each video container supports, and the ffmpeg arguments for each video codec. */

interface VideoContainer {
  /** The muxer and its options. */
  readonly muxer: readonly string[];
  /** Video codecs that it supports and that can be encoded, by ffprobe's names. */
  readonly video: readonly string[];
  /** Replaces a video codec that is not in `video`. */
  readonly fallbackVideo: string;
  /** Audio codecs that are copied; `any` if the container supports all. */
  readonly audio: readonly string[] | "any";
  /** The format of all other audio; `m4a` stands for AAC, `ogg` for Vorbis. */
  readonly fallbackAudio: AudioFormat;
  /** Subtitle codecs that are copied. */
  readonly subtitles: readonly string[] | "any";
  /** The encoder of other text subtitles; if undefined, they are omitted. */
  readonly textSubtitles?: string;
  /** Fonts and other attached files. */
  readonly holdsAttachments?: boolean;
  readonly holdsCover?: boolean;
}

/** FLAC in MP4 is standardized and widely supported, but ffmpeg 5.1 calls it experimental. */
const isoOptions = ["-movflags", "+faststart", "-strict", "experimental"];
const mp4Audio = ["aac", "mp3", "ac3", "eac3", "dts", "opus", "alac", "flac"];
const mp4Video = ["h264", "hevc", "vp9", "av1", "mpeg4", "mpeg2video", "mpeg1video", "mjpeg"];
const movPcm = ["pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be"];
const losslessVideo = ["ffv1", "huffyuv", "ffvhuff", "utvideo", "png", "rawvideo"];

const containers = {
  mp4: {
    muxer: ["-f", "mp4", ...isoOptions],
    video: mp4Video,
    fallbackVideo: "h264",
    audio: mp4Audio,
    fallbackAudio: "m4a",
    subtitles: ["mov_text", "dvd_subtitle"],
    textSubtitles: "mov_text",
    holdsCover: true,
  },
  mov: {
    muxer: ["-f", "mov", ...isoOptions],
    video: [...mp4Video, "prores", "dnxhd", "qtrle", ...losslessVideo],
    fallbackVideo: "h264",
    audio: [...mp4Audio, ...movPcm, "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_alaw", "pcm_mulaw"],
    fallbackAudio: "m4a",
    subtitles: ["mov_text"],
    textSubtitles: "mov_text",
  },
  mkv: {
    muxer: ["-f", "matroska"],
    video: [...mp4Video, "vp8", "theora", "msmpeg4v3", "prores", "dnxhd", ...losslessVideo],
    fallbackVideo: "h264",
    audio: "any",
    fallbackAudio: "m4a",
    subtitles: ["subrip", "ass", "webvtt", "dvd_subtitle", "hdmv_pgs_subtitle", "dvb_subtitle"],
    textSubtitles: "subrip",
    holdsAttachments: true,
    holdsCover: true,
  },
  webm: {
    muxer: ["-f", "webm"],
    video: ["vp8", "vp9", "av1"],
    fallbackVideo: "vp9",
    audio: ["opus", "vorbis"],
    fallbackAudio: "opus",
    subtitles: ["webvtt"],
    textSubtitles: "webvtt",
  },
  avi: {
    muxer: ["-f", "avi"],
    video: [
      "h264",
      "mpeg4",
      "mpeg2video",
      "mpeg1video",
      "msmpeg4v3",
      "msmpeg4v2",
      "wmv1",
      "wmv2",
      "mjpeg",
      "ffv1",
      "huffyuv",
      "ffvhuff",
      "utvideo",
      "rawvideo",
    ],
    fallbackVideo: "mpeg4",
    audio: ["mp3", "mp2", "ac3", "dts", "wmav1", "wmav2", "aac", "adpcm_ms", ...movPcm],
    fallbackAudio: "mp3",
    subtitles: [],
  },
  mpeg: {
    muxer: ["-f", "mpeg"],
    video: ["mpeg1video", "mpeg2video", "h264", "hevc"],
    fallbackVideo: "h264",
    audio: ["mp3", "mp2", "mp1", "ac3", "dts"],
    fallbackAudio: "mp3",
    subtitles: ["dvd_subtitle"],
  },
  mpegts: {
    muxer: ["-f", "mpegts"],
    video: ["mpeg1video", "mpeg2video", "h264", "hevc", "mpeg4"],
    fallbackVideo: "h264",
    audio: ["aac", "mp3", "mp2", "ac3", "eac3", "dts", "truehd", "opus"],
    fallbackAudio: "m4a",
    subtitles: ["dvb_subtitle", "dvb_teletext"],
  },
  flv: {
    muxer: ["-f", "flv"],
    video: ["h264", "flv1"],
    fallbackVideo: "h264",
    audio: ["aac", "mp3", "speex", "nellymoser", "pcm_alaw", "pcm_mulaw"],
    fallbackAudio: "m4a",
    subtitles: [],
  },
  wmv: {
    muxer: ["-f", "asf"],
    video: ["wmv1", "wmv2", "msmpeg4v3", "mpeg4", "h264"],
    fallbackVideo: "wmv2",
    audio: "any",
    fallbackAudio: "mp3",
    subtitles: [],
  },
  "3gp": {
    muxer: ["-f", "3gp", "-movflags", "+faststart"],
    video: ["h264", "mpeg4"],
    fallbackVideo: "h264",
    audio: ["aac", "amr_nb", "amr_wb"],
    fallbackAudio: "m4a",
    subtitles: ["mov_text"],
  },
  ogv: {
    muxer: ["-f", "ogg"],
    video: ["theora", "vp8"],
    fallbackVideo: "theora",
    audio: ["vorbis", "opus", "flac", "speex"],
    fallbackAudio: "ogg",
    subtitles: [],
  },
} as const satisfies Partial<Record<MediaTypeId, VideoContainer>>;

export type VideoContainerId = keyof typeof containers;

export function videoContainer(id: VideoContainerId): VideoContainer {
  return containers[id];
}

/** Returns `type` as a video container; MP4 if it is none. */
export function toVideoContainer(type: MediaTypeId): VideoContainerId {
  return type in containers ? (type as VideoContainerId) : "mp4";
}

/**
 * Encoder options by codec, with a quality at which the loss of re-encoding is not visible.
 * Measured at 640×360: x264 veryfast needs half the time of medium for the same SSIM (0.999),
 * libvpx-vp9 in realtime mode a quarter of the time of good mode. libsvtav1 of ffmpeg 5.1 hung on
 * short videos.
 */
const encoders: Readonly<Record<string, readonly string[]>> = {
  h264: ["libx264", "-preset", "veryfast", "-crf", "18"],
  hevc: [
    "libx265",
    "-preset",
    "veryfast",
    "-crf",
    "20",
    "-x265-params",
    "log-level=error:frame-threads=0",
  ],
  vp8: ["libvpx", "-crf", "6", "-b:v", "50M", "-deadline", "realtime", "-cpu-used", "4"],
  vp9: [
    "libvpx-vp9",
    "-crf",
    "20",
    "-b:v",
    "0",
    "-row-mt",
    "1",
    "-deadline",
    "realtime",
    "-cpu-used",
    "5",
  ],
  av1: [
    "libaom-av1",
    "-crf",
    "22",
    "-b:v",
    "0",
    "-row-mt",
    "1",
    "-usage",
    "realtime",
    "-cpu-used",
    "7",
  ],
  mpeg1video: ["mpeg1video", "-q:v", "2"],
  mpeg2video: ["mpeg2video", "-q:v", "2"],
  mpeg4: ["mpeg4", "-q:v", "2"],
  msmpeg4v3: ["msmpeg4", "-q:v", "2"],
  msmpeg4v2: ["msmpeg4v2", "-q:v", "2"],
  wmv1: ["wmv1", "-q:v", "2"],
  wmv2: ["wmv2", "-q:v", "2"],
  flv1: ["flv", "-q:v", "2"],
  theora: ["libtheora", "-q:v", "9"],
  mjpeg: ["mjpeg", "-q:v", "2"],
  prores: ["prores_ks"],
  dnxhd: ["dnxhd", "-profile:v", "dnxhr_hq", "-pix_fmt", "yuv422p"],
  ffv1: ["ffv1"],
  huffyuv: ["huffyuv"],
  ffvhuff: ["ffvhuff"],
  utvideo: ["utvideo"],
  qtrle: ["qtrle"],
  png: ["png"],
  rawvideo: ["rawvideo"],
};

/** The integer frame rates that MPEG-1 and MPEG-2 support (ISO/IEC 13818-2, table 6-4). */
const mpegFrameRates = [24, 25, 30, 50, 60];

/** The codec to write a video of `codec` to the container `id` at `fps` frames/s. */
export function chooseVideoCodec(
  id: VideoContainerId,
  codec: string | undefined,
  fps?: number,
): string {
  const { video, fallbackVideo } = videoContainer(id);
  const chosen = codec && video.includes(codec) ? codec : fallbackVideo;
  const isOtherRate = fps !== undefined && !mpegFrameRates.includes(fps);
  return isOtherRate && /^mpeg[12]video$/.test(chosen) ? (id === "avi" ? "mpeg4" : "h264") : chosen;
}

/** Above DCI 4K, encoders look ahead less, because each buffered frame takes up to 200 MB. */
const largeFrame = 4096 * 2304;
const lowMemoryArguments: Readonly<Record<string, readonly string[]>> = {
  h264: ["-bf", "0", "-rc-lookahead", "0"],
  hevc: ["-x265-params", "log-level=error:rc-lookahead=4:bframes=0:frame-threads=1"],
  vp8: ["-lag-in-frames", "0"],
  vp9: ["-lag-in-frames", "0"],
  av1: ["-lag-in-frames", "0"],
};

/** Output arguments that encode the first video stream in `codec` for the container `id`. */
export function videoCodecArguments(codec: string, id: VideoContainerId, frame: Frame): string[] {
  const options = encoders[codec];
  if (!options) throw new Error(`no encoder for ${codec}`);
  const encoder = ["-c:v:0", ...options];
  if (frame.width * frame.height > largeFrame) encoder.push(...(lowMemoryArguments[codec] ?? []));
  // Players of Apple require this tag.
  if (codec === "hevc" && (id === "mp4" || id === "mov")) encoder.push("-tag:v:0", "hvc1");
  // AVI has no presentation times, so frames must be stored in display order.
  if (codec === "h264" && id === "avi") encoder.push("-bf", "0");
  if (codec === "mpeg4" && id === "avi") encoder.push("-tag:v:0", "xvid");
  return encoder;
}
