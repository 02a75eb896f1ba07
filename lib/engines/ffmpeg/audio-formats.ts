/**
 * The audio formats that the service writes: what they support and the ffmpeg arguments for them.
 */

export const audioFormats = ["mp3", "aac", "m4a", "ogg", "opus", "flac", "wav"] as const;

export type AudioFormat = (typeof audioFormats)[number];

/** The bits per sample of a lossless format; `float` is 32-bit floating point. */
export type SampleDepth = 16 | 24 | 32 | "float";

interface AudioFormatTraits {
  /** The muxer and its options. */
  readonly muxer: readonly string[];
  /** The encoder and its options; lossless formats have an encoder for each sample depth. */
  readonly encode: (depth: SampleDepth) => readonly string[];
  /** The channel layouts for 1, 2, … channels. */
  readonly layouts: readonly string[];
  /** Supported sample rates, ascending; all if undefined. */
  readonly sampleRates?: readonly number[];
  /** The default bit rate; undefined for lossless formats. */
  readonly bitRatePerChannel?: number;
  /** The lowest and highest bit rate (bit/s) at a sample rate (Hz) and number of channels. */
  readonly bitRates?: (sampleRate: number, channels: number) => readonly [number, number];
  readonly holdsCover: boolean;
}

/** The layouts that RFC 7845, Vorbis I and FLAC define for 1 to 8 channels, by ffmpeg's names. */
const surround = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"];

/** ISO/IEC 14496-3, table 1.18, without 7350 Hz, which is not in use. */
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
    muxer: ["-f", "mp3", "-id3v2_version", "3"],
    encode: () => ["-c:a", "libmp3lame"],
    layouts: ["mono", "stereo"],
    sampleRates: aacRates.slice(0, 9),
    bitRatePerChannel: 96_000,
    bitRates: mp3BitRates,
    holdsCover: true,
  },
  // An ADTS stream has no tags, but players read an ID3 tag before it.
  aac: { ...aac, muxer: ["-f", "adts", "-write_id3v2", "1"], holdsCover: false },
  m4a: { ...aac, muxer: ["-f", "ipod", "-movflags", "+faststart"], holdsCover: true },
  ogg: {
    muxer: ["-f", "ogg"],
    encode: () => ["-c:a", "libvorbis"],
    layouts: surround,
    bitRatePerChannel: 80_000,
    bitRates: vorbisBitRates,
    holdsCover: false,
  },
  opus: {
    muxer: ["-f", "opus"],
    encode: () => ["-c:a", "libopus"],
    layouts: surround,
    sampleRates: [8000, 12_000, 16_000, 24_000, 48_000],
    bitRatePerChannel: 64_000,
    bitRates: (_, channels) => [6000 * channels, 256_000 * channels],
    holdsCover: false,
  },
  flac: {
    muxer: ["-f", "flac"],
    encode: (depth) =>
      depth === 16
        ? ["-c:a", "flac", "-sample_fmt:a", "s16"]
        : ["-c:a", "flac", "-sample_fmt:a", "s32", "-bits_per_raw_sample:a", "24"],
    layouts: surround,
    holdsCover: true,
  },
  wav: {
    // RF64 above 4 GiB, because a RIFF header has 32-bit sizes.
    muxer: ["-f", "wav", "-rf64", "auto"],
    encode: (depth) => ["-c:a", depth === "float" ? "pcm_f32le" : `pcm_s${depth}le`],
    layouts: surround,
    holdsCover: false,
  },
};

export function audioFormatTraits(format: AudioFormat): AudioFormatTraits {
  return traits[format];
}

/** The lowest sample rate (Hz) of `format` that is at least `wanted`, or its highest. */
export function fitSampleRate(format: AudioFormat, wanted: number): number {
  const rates = traits[format].sampleRates;
  return rates ? (rates.find((rate) => rate >= wanted) ?? rates.at(-1) ?? wanted) : wanted;
}

/**
 * Output arguments for the bit rate of `format` that is nearest to `wanted` (bit/s); none if
 * lossless.
 */
export function bitRateArguments(
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
  const [min, max] = bitRates?.(sampleRate, channels) ?? [0, Number.POSITIVE_INFINITY];
  return ["-b:a", `${Math.min(Math.max(bitRate, min), max)}`];
}

/** The bit rates of MPEG-1, 2 and 2.5 layer III that LAME supports. */
function mp3BitRates(sampleRate: number): [number, number] {
  if (sampleRate >= 32_000) return [32_000, 320_000];
  return [8000, sampleRate >= 16_000 ? 160_000 : 64_000];
}

/** Above this sample rate, libvorbis supports no bit rates, only qualities. */
const vorbisManagedRate = 50_000;

/**
 * The lowest and highest bit/s per channel that libvorbis accepts for mono and stereo, up to each
 * sample rate.
 */
const vorbisSetups = [
  [9000, 8000, 32_000],
  [15_000, 14_000, 48_000],
  [19_000, 16_000, 96_000],
  [26_000, 16_000, 80_000],
  [40_000, 32_000, 160_000],
  [vorbisManagedRate, 32_000, 224_000],
] as const;

function vorbisBitRates(sampleRate: number, channels: number): [number, number] {
  const [, min, max] = vorbisSetups.find(([rate]) => sampleRate <= rate) ?? [0, 32_000, 224_000];
  return [min * channels, max * channels];
}

/** Nominal bit/s per channel of the qualities 0 to 10, at 44.1 kHz stereo. */
const vorbisQualities = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 250].map((rate) => rate * 1000);

function vorbisQuality(bitRatePerChannel: number): number {
  return Math.max(
    0,
    vorbisQualities.findLastIndex((rate) => rate <= bitRatePerChannel),
  );
}
