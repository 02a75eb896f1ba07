import type { AudioFormat } from "#lib/engines/ffmpeg/audio-formats.ts";
import type { Preset } from "../../shared/video/rate-control.ts";

/** What each container holds, and which parameters exclude each other. */

export const formats = ["mp4", "webm", "mkv", "mov"] as const;
export const videoCodecs = ["h264", "h265", "vp9", "av1", "copy"] as const;
export const audioCodecs = ["aac", "mp3", "opus", "vorbis", "flac", "copy", "none"] as const;

type Format = (typeof formats)[number];
type VideoCodec = (typeof videoCodecs)[number];
type AudioCodec = (typeof audioCodecs)[number];

export interface TranscodeParams {
  readonly format: Format;
  readonly codec?: VideoCodec | undefined;
  readonly quality?: number | undefined;
  readonly bitrate?: number | undefined;
  readonly preset?: Preset | undefined;
  readonly audio_codec?: AudioCodec | undefined;
  readonly audio_bitrate?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fps?: number | undefined;
}

const heldVideo: Readonly<Record<Format, readonly VideoCodec[]>> = {
  mp4: ["h264", "h265", "vp9", "av1", "copy"],
  webm: ["vp9", "av1", "copy"],
  mkv: ["h264", "h265", "vp9", "av1", "copy"],
  mov: ["h264", "h265", "copy"],
};

const heldAudio: Readonly<Record<Format, readonly AudioCodec[]>> = {
  mp4: ["aac", "mp3", "opus", "flac", "copy", "none"],
  webm: ["opus", "vorbis", "copy", "none"],
  mkv: ["aac", "mp3", "opus", "vorbis", "flac", "copy", "none"],
  mov: ["aac", "mp3", "copy", "none"],
};

/** Formats choices as `vp9, av1 or copy`. */
const choices = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** The audio formats whose encoders write the codecs. */
export const audioFormatOfCodec: Readonly<Partial<Record<AudioCodec, AudioFormat>>> = {
  aac: "m4a",
  mp3: "mp3",
  opus: "opus",
  vorbis: "ogg",
  flac: "flac",
};

export function chooseCodec({ format, codec }: TranscodeParams): VideoCodec {
  return codec ?? (format === "webm" ? "vp9" : "h264");
}

/** The first parameter that does not fit the others, and what it must be; undefined if all do. */
export function findFormatFault(
  params: TranscodeParams,
): { field: string; message: string } | undefined {
  const { format, quality, bitrate, audio_codec: audio, audio_bitrate: audioBitRate } = params;
  const codec = chooseCodec(params);
  const fault = (field: string, message: string) => ({ field, message });
  if (!heldVideo[format].includes(codec)) {
    return fault("codec", `must be ${choices.format(heldVideo[format])} for ${format}`);
  }
  if (audio && !heldAudio[format].includes(audio)) {
    return fault("audio_codec", `must be ${choices.format(heldAudio[format])} for ${format}`);
  }
  if (codec === "copy") {
    const names = ["quality", "bitrate", "preset", "width", "height", "fps"] as const;
    const set = names.find((name) => params[name] !== undefined);
    if (set) return fault(set, "must not be set if the video is copied");
  }
  if (quality !== undefined && bitrate !== undefined) {
    return fault("bitrate", "must not be set together with `quality`");
  }
  if (/^h26/.test(codec) && quality !== undefined && quality > 51) {
    return fault("quality", `must be from 0 to 51 for ${codec}`);
  }
  if (audioBitRate !== undefined && audio && ["copy", "none", "flac"].includes(audio)) {
    return fault("audio_bitrate", `has no effect on ${audio} and must not be set`);
  }
  return undefined;
}
