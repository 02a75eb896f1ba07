import type { MediaTypeId } from "#lib/media/types.ts";
import type { AudioFormat } from "./audio-formats.ts";

/** What each video container can hold, and how ffmpeg is asked to write each video codec. */

interface VideoContainer {
  /** ffmpeg's muxer and its options. */
  readonly muxer: readonly string[];
  /** Video codecs that it holds and that we can write, by ffprobe's names. */
  readonly video: readonly string[];
  /** Written where the film's own codec is not among `video`. */
  readonly fallbackVideo: string;
  /** Audio codecs that are copied; `any` where the container takes all. */
  readonly audio: readonly string[] | "any";
  /** What other sound is encoded as; `m4a` stands for AAC, `ogg` for Vorbis. */
  readonly fallbackAudio: AudioFormat;
  /** Subtitle codecs that are copied. */
  readonly subtitles: readonly string[] | "any";
  /** The encoder for other text subtitles; they are left out where it is absent. */
  readonly textSubtitles?: string;
  /** Fonts and other attached files. */
  readonly attachments?: boolean;
  /** Cover pictures. */
  readonly cover?: boolean;
}

/** Experimental to ffmpeg 5.1, but standard and played: FLAC in MP4. */
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
    cover: true,
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
    attachments: true,
    cover: true,
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
      ...["h264", "mpeg4", "mpeg2video", "mpeg1video", "msmpeg4v3", "msmpeg4v2", "wmv1", "wmv2"],
      ...["mjpeg", "ffv1", "huffyuv", "ffvhuff", "utvideo", "rawvideo"],
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

/** What the container `id` can hold. */
export function videoContainer(id: VideoContainerId): VideoContainer {
  return containers[id];
}

/** `type` as a video container; MP4 for what is no container of its own. */
export function toVideoContainer(type: MediaTypeId): VideoContainerId {
  return type in containers ? (type as VideoContainerId) : "mp4";
}

/**
 * Encoder options by codec, at a quality where a second generation is not told from the first by eye.
 * Measured on 640×360: x264 veryfast takes half the time of medium at the same SSIM (0.999), libvpx-vp9
 * in realtime mode a quarter of good mode's. libsvtav1 of ffmpeg 5.1 was seen to hang on short films.
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
  vp8: ["libvpx", ...["-crf", "6", "-b:v", "50M", "-deadline", "realtime", "-cpu-used", "4"]],
  vp9: [
    ...["libvpx-vp9", "-crf", "20", "-b:v", "0", "-row-mt", "1"],
    ...["-deadline", "realtime", "-cpu-used", "5"],
  ],
  av1: [
    ...["libaom-av1", "-crf", "22", "-b:v", "0", "-row-mt", "1"],
    ...["-usage", "realtime", "-cpu-used", "7"],
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

/** MPEG-1 and MPEG-2 have a table of frame rates and no others (ISO/IEC 13818-2, table 6-4). */
const mpegFrameRates = [24, 25, 30, 50, 60];

/** The codec in which a film that is `codec` is written to container `id` at `fps` (frames/s). */
export function chooseVideoCodec(
  id: VideoContainerId,
  codec: string | undefined,
  fps?: number,
): string {
  const { video, fallbackVideo } = videoContainer(id);
  const kept = codec && video.includes(codec) ? codec : fallbackVideo;
  const odd = fps !== undefined && !mpegFrameRates.includes(fps);
  return odd && /^mpeg[12]video$/.test(kept) ? (id === "avi" ? "mpeg4" : "h264") : kept;
}

interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Above DCI 4K: encoders look ahead less, for each frame that waits holds up to 200 MB. */
const largeFrame = 4096 * 2304;
const thrifty: Readonly<Record<string, readonly string[]>> = {
  h264: ["-bf", "0", "-rc-lookahead", "0"],
  hevc: ["-x265-params", "log-level=error:rc-lookahead=4:bframes=0:frame-threads=1"],
  vp8: ["-lag-in-frames", "0"],
  vp9: ["-lag-in-frames", "0"],
  av1: ["-lag-in-frames", "0"],
};

/** `-c:v` and its options for a film of `frame` pixels in `codec`, in the container `id`. */
export function videoEncoder(codec: string, id: VideoContainerId, frame: FrameSize): string[] {
  const options = encoders[codec];
  if (!options) throw new Error(`no encoder for ${codec}`);
  const encoder = ["-c:v:0", ...options];
  if (frame.width * frame.height > largeFrame) encoder.push(...(thrifty[codec] ?? []));
  // Apple's players want this tag, and the headers in the container.
  if (codec === "hevc" && (id === "mp4" || id === "mov")) encoder.push("-tag:v:0", "hvc1");
  // AVI has no presentation times, so frames must come in the order they are shown.
  if (codec === "h264" && id === "avi") encoder.push("-bf", "0");
  if (codec === "mpeg4" && id === "avi") encoder.push("-tag:v:0", "xvid");
  return encoder;
}
