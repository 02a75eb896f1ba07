import { widestLimits } from "#lib/limits/limits.ts";
import { isRelayUrl, relayArguments } from "../../partial/relay.ts";

/**
 * The demuxers and decoders that ffmpeg and ffprobe may use. Other demuxers are rejected for any
 * file name, so that a playlist (HLS, DASH, ffconcat, SDP) with the name of a video cannot open
 * other files. MagicYUV (CVE-2026-8461) and FLIC must not be added.
 */

/**
 * Demuxers, by ffmpeg's names. `png_pipe`, `ffmetadata` and those of subtitles read files that the
 * service itself has created.
 */
const demuxers = [
  "mov",
  "matroska",
  "avi",
  "mpeg",
  "mpegvideo",
  "mpegts",
  "flv",
  "asf",
  "ogg",
  "mp3",
  "aac",
  "flac",
  "wav",
  "aiff",
  "caf",
  "amr",
  "ac3",
  "eac3",
  "wv",
  "mxf",
  "png_pipe",
  "ffmetadata",
  "srt",
  "webvtt",
  "ass",
];

const videoDecoders = [
  "h264",
  "hevc",
  "vp8",
  "vp9",
  "libvpx-vp9",
  "libdav1d",
  "libaom-av1",
  "av1",
  "mpeg1video",
  "mpeg2video",
  "mpegvideo",
  "mpeg4",
  "msmpeg4v1",
  "msmpeg4v2",
  "msmpeg4",
  "wmv1",
  "wmv2",
  "wmv3",
  "vc1",
  "flv",
  "vp6",
  "vp6a",
  "vp6f",
  "h263",
  "h263i",
  "h263p",
  "theora",
  "mjpeg",
  "mjpegb",
  "prores",
  "dnxhd",
  "ffv1",
  "huffyuv",
  "ffvhuff",
  "utvideo",
  "dvvideo",
  "rawvideo",
  "v210",
  "qtrle",
  "png",
];

const audioDecoders = [
  "aac",
  "aac_latm",
  "mp3float",
  "mp3",
  "mp2float",
  "mp2",
  "mp1float",
  "mp1",
  "opus",
  "libopus",
  "vorbis",
  "libvorbis",
  "flac",
  "alac",
  "ac3",
  "eac3",
  "dca",
  "truehd",
  "wavpack",
  "wmav1",
  "wmav2",
  "wmapro",
  "wmalossless",
  "amrnb",
  "amrwb",
  "speex",
  "nellymoser",
  "adpcm_ms",
  "adpcm_ima_wav",
  "adpcm_ima_qt",
  "adpcm_swf",
  "g726",
  "gsm_ms",
  "pcm_u8",
  "pcm_s8",
  "pcm_s16le",
  "pcm_s16be",
  "pcm_s24le",
  "pcm_s24be",
  "pcm_s32le",
  "pcm_s32be",
  "pcm_f32le",
  "pcm_f32be",
  "pcm_f64le",
  "pcm_f64be",
  "pcm_alaw",
  "pcm_mulaw",
  "pcm_bluray",
  "pcm_dvd",
];

const subtitleDecoders = [
  "subrip",
  "srt",
  "mov_text",
  "ass",
  "ssa",
  "webvtt",
  "text",
  "dvdsub",
  "dvbsub",
  "pgssub",
];

const decoders = [...videoDecoders, ...audioDecoders, ...subtitleDecoders];

/** Decoders for ffprobe only, to identify streams that are copied or omitted but never decoded. */
const probeOnlyDecoders = ["libzvbi_teletextdec", "cc_dec", "xsub", "gif", "bmp", "webp"];

const guardArguments = (
  codecs: string[],
  path: string,
  formats: readonly string[] = demuxers,
): readonly string[] => [
  ...(isRelayUrl(path) ? relayArguments : ["-protocol_whitelist", "file"]),
  "-format_whitelist",
  formats.join(","),
  "-codec_whitelist",
  codecs.join(","),
  "-max_pixels",
  `${widestLimits.framePixels}`,
  "-max_streams",
  `${widestLimits.streams}`,
];

/** The arguments before the input `path` of ffmpeg. */
export function inputGuardArguments(path: string): readonly string[] {
  return guardArguments(decoders, path);
}

/** The arguments before a playlist that the service itself has written; see `playlist.ts`. */
export function playlistGuardArguments(path: string): readonly string[] {
  return guardArguments(decoders, path, ["concat", ...demuxers]);
}

/** The arguments before the input `path` of ffprobe. */
export function probeGuardArguments(path: string): readonly string[] {
  return guardArguments([...decoders, ...probeOnlyDecoders], path);
}
