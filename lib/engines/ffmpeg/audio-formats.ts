/** What each audio format that the service writes can hold, and how ffmpeg is asked for it. */

export const audioFormats = ["mp3", "aac", "m4a", "ogg", "opus", "flac", "wav"] as const;

export type AudioFormat = (typeof audioFormats)[number];

/** How exactly samples are kept by a lossless format; `float` is 32-bit floating point. */
export type SampleDepth = 16 | 24 | 32 | "float";

interface AudioFormatTraits {
  /** ffmpeg's muxer and its options. */
  readonly container: readonly string[];
  /** ffmpeg's encoder; a lossless format has one a depth. */
  readonly encode: (depth: SampleDepth) => readonly string[];
  /** Channel layouts it can hold, by their number of channels from 1 up. */
  readonly layouts: readonly string[];
  /** Sample rates it can hold, ascending; any where absent. */
  readonly sampleRates?: readonly number[];
  /** Used where the caller asks for no bit rate; absent for lossless formats. */
  readonly bitRatePerChannel?: number;
  /** Bit rates (bit/s) that its encoder accepts at a sample rate (Hz) and number of channels. */
  readonly bitRates?: (sampleRate: number, channels: number) => readonly [number, number];
  /** It can hold a cover picture. */
  readonly cover: boolean;
}

/** One layout for each number of channels: those that RFC 7845, Vorbis I and FLAC give, in ffmpeg's words. */
const surround = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"];

/** ISO/IEC 14496-3, table 1.18; 7350 Hz has no use. */
const aacRates = [
  8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
];

const aac = {
  encode: () => ["-c:a", "aac"],
  layouts: surround,
  sampleRates: aacRates,
  bitRatePerChannel: 96_000,
} as const;

const traits: Record<AudioFormat, AudioFormatTraits> = {
  mp3: {
    container: ["-f", "mp3", "-id3v2_version", "3"],
    encode: () => ["-c:a", "libmp3lame"],
    layouts: ["mono", "stereo"],
    sampleRates: aacRates.slice(0, 9),
    bitRatePerChannel: 96_000,
    bitRates: mp3BitRates,
    cover: true,
  },
  // An ADTS stream has no tags of its own; players read an ID3 tag in front of it.
  aac: { ...aac, container: ["-f", "adts", "-write_id3v2", "1"], cover: false },
  m4a: { ...aac, container: ["-f", "ipod", "-movflags", "+faststart"], cover: true },
  ogg: {
    container: ["-f", "ogg"],
    encode: () => ["-c:a", "libvorbis"],
    layouts: surround,
    bitRatePerChannel: 80_000,
    bitRates: vorbisBitRates,
    cover: false,
  },
  opus: {
    container: ["-f", "opus"],
    encode: () => ["-c:a", "libopus"],
    layouts: surround,
    sampleRates: [8000, 12_000, 16_000, 24_000, 48_000],
    bitRatePerChannel: 64_000,
    bitRates: (_, channels) => [6000 * channels, 256_000 * channels],
    cover: false,
  },
  flac: {
    container: ["-f", "flac"],
    encode: (depth) =>
      depth === 16
        ? ["-c:a", "flac", "-sample_fmt", "s16"]
        : ["-c:a", "flac", "-sample_fmt", "s32", "-bits_per_raw_sample", "24"],
    layouts: surround,
    cover: true,
  },
  wav: {
    // RF64 past 4 GiB, which a plain header cannot count.
    container: ["-f", "wav", "-rf64", "auto"],
    encode: (depth) => ["-c:a", depth === "float" ? "pcm_f32le" : `pcm_s${depth}le`],
    layouts: surround,
    cover: false,
  },
};

export function audioFormatTraits(format: AudioFormat): AudioFormatTraits {
  return traits[format];
}

/**
 * The lowest sample rate (Hz) that `format` can hold without losing any of `wanted`, or its highest.
 */
export function fitSampleRate(format: AudioFormat, wanted: number): number {
  const rates = traits[format].sampleRates;
  return rates ? (rates.find((rate) => rate >= wanted) ?? rates.at(-1) ?? wanted) : wanted;
}

/** ffmpeg's options for a bit rate as near to `wanted` (bit/s) as `format` can have; none if lossless. */
export function bitRateOptions(
  format: AudioFormat,
  wanted: number | undefined,
  sampleRate: number,
  channels: number,
): string[] {
  const { bitRatePerChannel, bitRates } = traits[format];
  if (!bitRatePerChannel) return [];
  const bitRate = wanted ?? bitRatePerChannel * channels;
  if (format === "ogg" && sampleRate > vorbisManagedRate) {
    return ["-q:a", `${vorbisQuality(bitRate / channels)}`];
  }
  const [least, most] = bitRates?.(sampleRate, channels) ?? [0, Number.POSITIVE_INFINITY];
  return ["-b:a", `${Math.min(Math.max(bitRate, least), most)}`];
}

/** MPEG-1, 2 and 2.5 layer III, as LAME writes them. */
function mp3BitRates(sampleRate: number): [number, number] {
  if (sampleRate >= 32_000) return [32_000, 320_000];
  return [8000, sampleRate >= 16_000 ? 160_000 : 64_000];
}

/** Above this sample rate libvorbis has no set-up for a given bit rate, only for a quality. */
const vorbisManagedRate = 50_000;

/** libvorbis's set-ups: up to a sample rate, the bit/s a channel that mono and stereo both accept. */
const vorbisSetups = [
  [9000, 8000, 32_000],
  [15_000, 14_000, 48_000],
  [19_000, 16_000, 96_000],
  [26_000, 16_000, 80_000],
  [40_000, 32_000, 160_000],
  [vorbisManagedRate, 32_000, 224_000],
] as const;

function vorbisBitRates(sampleRate: number, channels: number): [number, number] {
  const [, least, most] = vorbisSetups.find(([rate]) => sampleRate <= rate) ?? [0, 32_000, 224_000];
  return [least * channels, most * channels];
}

/** Nominal bit/s a channel of the qualities 0 to 10 at 44.1 kHz stereo. */
const vorbisQualities = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 250].map((rate) => rate * 1000);

function vorbisQuality(bitRatePerChannel: number): number {
  return Math.max(
    0,
    vorbisQualities.findLastIndex((rate) => rate <= bitRatePerChannel),
  );
}
