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
  /** The supported bit rate (bit/s) that is nearest to `wanted`, at a sample rate (Hz) and number of channels. */
  readonly nearestBitRate?: (wanted: number, sampleRate: number, channels: number) => number;
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
  // ISO/IEC 14496-3, 4.5.3.3: at most 6144 bits for the 1024 samples of a channel.
  nearestBitRate: (wanted: number, sampleRate: number, channels: number) =>
    Math.min(wanted, 6 * sampleRate * channels),
} as const;

const traits: Record<AudioFormat, AudioFormatTraits> = {
  mp3: {
    muxer: ["-f", "mp3", "-id3v2_version", "3"],
    encode: () => ["-c:a", "libmp3lame"],
    layouts: ["mono", "stereo"],
    sampleRates: aacRates.slice(0, 9),
    bitRatePerChannel: 96_000,
    nearestBitRate: nearestMp3BitRate,
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
    nearestBitRate: nearestVorbisBitRate,
    holdsCover: false,
  },
  opus: {
    muxer: ["-f", "opus"],
    encode: () => ["-c:a", "libopus"],
    layouts: surround,
    sampleRates: [8000, 12_000, 16_000, 24_000, 48_000],
    bitRatePerChannel: 64_000,
    nearestBitRate: (wanted, _, channels) => clamp(wanted, 6000 * channels, 256_000 * channels),
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
 * The bit rate (bit/s) of `format` that is nearest to `wanted`; `wanted` itself if the format is lossless.
 */
export function fitBitRate(
  format: AudioFormat,
  wanted: number,
  sampleRate: number,
  channels: number,
): number {
  return traits[format].nearestBitRate?.(wanted, sampleRate, channels) ?? wanted;
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
  const { bitRatePerChannel } = traits[format];
  if (!bitRatePerChannel) return [];
  const bitRate = wanted ?? bitRatePerChannel * channels;
  if (format === "ogg" && sampleRate > vorbisManagedRate) {
    return ["-q:a", `${vorbisQuality(bitRate / channels)}`];
  }
  return ["-b:a", `${fitBitRate(format, bitRate, sampleRate, channels)}`];
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** kbit/s of layer III in MPEG-1 (ISO/IEC 11172-3, 2.4.2.3). */
const mpeg1Rates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];

/** kbit/s in MPEG-2 (ISO/IEC 13818-3, 2.4.2.3), of which LAME uses those up to 64 in MPEG-2.5. */
const mpeg2Rates = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

function nearestMp3BitRate(wanted: number, sampleRate: number): number {
  const lowRates = sampleRate >= 16_000 ? mpeg2Rates : mpeg2Rates.slice(0, 8);
  const rates = (sampleRate >= 32_000 ? mpeg1Rates : lowRates).map((rate) => rate * 1000);
  const distance = (rate: number) => Math.abs(rate - wanted);
  return rates.reduce((best, rate) => (distance(rate) < distance(best) ? rate : best));
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

function nearestVorbisBitRate(wanted: number, sampleRate: number, channels: number): number {
  const setup = vorbisSetups.find(([rate]) => sampleRate <= rate);
  return setup ? clamp(wanted, setup[1] * channels, setup[2] * channels) : wanted;
}

/** Nominal bit/s per channel of the qualities 0 to 10, at 44.1 kHz stereo. */
const vorbisQualities = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 250].map((rate) => rate * 1000);

function vorbisQuality(bitRatePerChannel: number): number {
  return Math.max(
    0,
    vorbisQualities.findLastIndex((rate) => rate <= bitRatePerChannel),
  );
}
