import { z } from "zod";
import { toLanguageCode } from "./languages.ts";

/** Parses the output of ffprobe. It contains text of the file, so sizes and types are checked. */

export interface Rational {
  readonly numerator: number;
  readonly denominator: number;
}

/** The value of `rational`; 0 if it is undefined. */
export function toNumber(rational: Rational | undefined): number {
  return rational ? rational.numerator / rational.denominator : 0;
}

/** ffprobe writes most numbers as strings. Unknown ones are missing or `N/A`. */
const numeric = z
  .union([z.number(), z.string()])
  .transform((value) => Number(value))
  .transform((value) => (Number.isFinite(value) ? value : undefined))
  .optional();

const shortText = z
  .string()
  .max(256)
  .transform((value) => (value === "unknown" ? undefined : value))
  .optional()
  .catch(undefined);

const rational = z
  .string()
  .transform((value): Rational | undefined => {
    const [numerator = 0, denominator = 0] = value.split(/[/:]/).map(Number);
    return numerator > 0 && denominator > 0 ? { numerator, denominator } : undefined;
  })
  .optional();

/** Tags by lower-case name: at most 200, with at most 4,000 characters each. */
const tags = z
  .record(z.string(), z.coerce.string())
  .transform((value) => {
    const kept = Object.entries(value)
      .slice(0, 200)
      .map(([name, text]) => [name.toLowerCase().slice(0, 100), text.slice(0, 4000)] as const)
      .filter(([name]) => name !== "__proto__");
    return Object.fromEntries(kept);
  })
  .default({});

const sideData = z
  .array(z.object({ side_data_type: z.string().optional(), rotation: numeric }))
  .default([]);

const stream = z
  .object({
    index: z.number().int().min(0),
    codec_type: shortText,
    codec_name: shortText,
    codec_tag_string: shortText,
    profile: shortText,
    pix_fmt: shortText,
    width: numeric,
    height: numeric,
    sample_aspect_ratio: rational,
    field_order: shortText,
    color_range: shortText,
    color_space: shortText,
    color_transfer: shortText,
    color_primaries: shortText,
    chroma_location: shortText,
    r_frame_rate: rational,
    avg_frame_rate: rational,
    time_base: rational,
    sample_fmt: shortText,
    sample_rate: numeric,
    channels: numeric,
    channel_layout: shortText,
    bits_per_raw_sample: numeric,
    bit_rate: numeric,
    duration: numeric,
    start_time: numeric,
    nb_frames: numeric,
    extradata_hash: shortText,
    disposition: z.record(z.string(), z.number()).default({}),
    tags,
    side_data_list: sideData,
  })
  .transform((raw) => ({
    index: raw.index,
    type: raw.codec_type ?? "unknown",
    codec: raw.codec_name,
    codecTag: raw.codec_tag_string,
    profile: raw.profile,
    pixelFormat: raw.pix_fmt,
    /** The width as coded, before rotation. */
    width: raw.width,
    height: raw.height,
    sampleAspectRatio: raw.sample_aspect_ratio,
    fieldOrder: raw.field_order,
    colorRange: raw.color_range,
    colorSpace: raw.color_space,
    colorTransfer: raw.color_transfer,
    colorPrimaries: raw.color_primaries,
    chromaLocation: raw.chroma_location,
    /**
     * The lowest rate that can represent all timestamps; far above the average if timing varies.
     */
    frameRate: raw.r_frame_rate,
    averageFrameRate: raw.avg_frame_rate,
    timeBase: raw.time_base,
    sampleFormat: raw.sample_fmt,
    sampleRate: raw.sample_rate,
    channels: raw.channels,
    channelLayout: raw.channel_layout,
    bitsPerSample: raw.bits_per_raw_sample || undefined,
    bitRate: raw.bit_rate,
    duration: raw.duration,
    startTime: raw.start_time,
    frameCount: raw.nb_frames,
    /** A hash of the parameters of the decoder that the container stores; undefined if it has none. */
    extradataHash: raw.extradata_hash,
    /** Clockwise degrees by which a player rotates the frame: 0, 90, 180 or 270. */
    rotation: clockwise(raw.side_data_list.find((data) => data.rotation !== undefined)?.rotation),
    /** A code of ISO 639-2, if the file has one. */
    language: raw.tags.language && toLanguageCode(raw.tags.language),
    disposition: raw.disposition,
    /** Cover art or another still image. */
    attachedPicture: ["attached_pic", "timed_thumbnails", "still_image"].some(
      (name) => raw.disposition[name] === 1,
    ),
    tags: raw.tags,
    sideData: sideDataTypes(raw.side_data_list),
  }));

const chapter = z.object({ start_time: numeric, end_time: numeric, tags }).transform((raw) => ({
  start: raw.start_time ?? 0,
  end: raw.end_time ?? 0,
  title: raw.tags.title,
}));

const format = z
  .object({
    format_name: z.string().default("unknown"),
    duration: numeric,
    start_time: numeric,
    bit_rate: numeric,
    tags,
  })
  .default({
    format_name: "unknown",
    duration: undefined,
    start_time: undefined,
    bit_rate: undefined,
    tags: {},
  });

/**
 * The facts that ffprobe reports. Durations are in seconds, bit rates in bit/s, sizes in pixels.
 */
export const mediaInfo = z
  .object({
    format,
    streams: z.array(stream).default([]),
    chapters: z.array(chapter).default([]),
    packets: z.array(z.object({ side_data_list: sideData })).default([]),
  })
  .transform((raw) => ({
    /** ffmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
    format: raw.format.format_name,
    duration: raw.format.duration,
    startTime: raw.format.start_time,
    bitRate: raw.format.bit_rate,
    tags: raw.format.tags,
    streams: raw.streams.map((one) => ({
      ...one,
      duration: one.duration ?? taggedDuration(one, raw.format),
    })),
    chapters: raw.chapters,
    encrypted:
      raw.streams.some((one) => isEncrypted(one.codecTag, one.sideData)) ||
      raw.packets.some((one) => isEncrypted(undefined, sideDataTypes(one.side_data_list))),
  }));

export type MediaInfo = z.output<typeof mediaInfo>;
export type MediaStream = MediaInfo["streams"][number];

/**
 * The duration of a stream of Matroska, which only tags have. ffmpeg writes when the stream ends, and copies
 * what other programs wrote about the source.
 */
function taggedDuration(
  { tags: { duration, "duration-eng": english }, startTime = 0 }: z.output<typeof stream>,
  { format_name, duration: longest = Number.POSITIVE_INFINITY, tags }: z.output<typeof format>,
): number | undefined {
  if (!format_name.startsWith("matroska")) return undefined;
  const isOfFfmpeg = tags.encoder?.startsWith("Lavf") ?? false;
  const text = duration ?? (isOfFfmpeg ? "" : english) ?? "";
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text)?.map(Number) ?? [];
  const end = Math.min(hours * 3600 + minutes * 60 + seconds, longest);
  const lasts = isOfFfmpeg ? end - Math.max(0, startTime) : end;
  return lasts > 0 ? Math.round(lasts * 1e6) / 1e6 : undefined;
}

function sideDataTypes(list: z.output<typeof sideData>): string[] {
  return list.flatMap((data) => data.side_data_type ?? []);
}

/** Detects Common Encryption and FairPlay by the sample entry or by side data of packets. */
function isEncrypted(codecTag: string | undefined, types: readonly string[]): boolean {
  return (
    /^(enc[avts]|drm[si])$/.test(codecTag ?? "") ||
    types.some((type) => type.startsWith("Encryption"))
  );
}

function clockwise(degrees: number | undefined): 0 | 90 | 180 | 270 {
  // ffprobe reports counterclockwise degrees. Other angles are not applied.
  const rotation = ((-(degrees ?? 0) % 360) + 360) % 360;
  return rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0;
}
