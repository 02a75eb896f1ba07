import { z } from "zod";

/** What ffprobe says of a file, parsed. Its words are hostile input: sizes and shapes are checked. */

export interface Rational {
  readonly numerator: number;
  readonly denominator: number;
}

/** The number that `rational` stands for; 0 where it has no meaning. */
export function toNumber(rational: Rational | undefined): number {
  return rational ? rational.numerator / rational.denominator : 0;
}

/** ffprobe writes most numbers as text, and leaves out or writes `N/A` for what it does not know. */
const figure = z
  .union([z.number(), z.string()])
  .transform((value) => Number(value))
  .transform((value) => (Number.isFinite(value) ? value : undefined))
  .optional();

const word = z
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

/** Tags by lower-case name; at most 200 of at most 4,000 characters. */
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
  .array(z.object({ side_data_type: z.string().optional(), rotation: figure }))
  .default([]);

const stream = z
  .object({
    index: z.number().int().min(0),
    codec_type: word,
    codec_name: word,
    codec_tag_string: word,
    profile: word,
    pix_fmt: word,
    width: figure,
    height: figure,
    sample_aspect_ratio: rational,
    field_order: word,
    color_range: word,
    color_space: word,
    color_transfer: word,
    color_primaries: word,
    chroma_location: word,
    r_frame_rate: rational,
    avg_frame_rate: rational,
    time_base: rational,
    sample_fmt: word,
    sample_rate: figure,
    channels: figure,
    channel_layout: word,
    bits_per_raw_sample: figure,
    bit_rate: figure,
    duration: figure,
    start_time: figure,
    nb_frames: figure,
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
    /** As coded, before rotation. */
    width: raw.width,
    height: raw.height,
    sampleAspectRatio: raw.sample_aspect_ratio,
    fieldOrder: raw.field_order,
    colorRange: raw.color_range,
    colorSpace: raw.color_space,
    colorTransfer: raw.color_transfer,
    colorPrimaries: raw.color_primaries,
    chromaLocation: raw.chroma_location,
    /** The lowest rate that can carry every timestamp; far above the average where timing varies. */
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
    /** Degrees clockwise that a player turns the frame: 0, 90, 180 or 270. */
    rotation: clockwise(raw.side_data_list.find((data) => data.rotation !== undefined)?.rotation),
    language: raw.tags.language,
    disposition: raw.disposition,
    /** A cover or another still picture, not a film. */
    attachedPicture: ["attached_pic", "timed_thumbnails", "still_image"].some(
      (name) => raw.disposition[name] === 1,
    ),
    tags: raw.tags,
    sideData: sideDataTypes(raw.side_data_list),
  }));

const chapter = z.object({ start_time: figure, end_time: figure, tags }).transform((raw) => ({
  start: raw.start_time ?? 0,
  end: raw.end_time ?? 0,
  title: raw.tags.title,
}));

const format = z
  .object({
    format_name: z.string().default("unknown"),
    duration: figure,
    start_time: figure,
    bit_rate: figure,
    tags,
  })
  .default({
    format_name: "unknown",
    duration: undefined,
    start_time: undefined,
    bit_rate: undefined,
    tags: {},
  });

/** ffprobe's JSON. Durations in seconds, bit rates in bit/s, sizes in pixels. */
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
    streams: raw.streams,
    chapters: raw.chapters,
    encrypted:
      raw.streams.some((one) => isEncrypted(one.codecTag, one.sideData)) ||
      raw.packets.some((one) => isEncrypted(undefined, sideDataTypes(one.side_data_list))),
  }));

export type MediaInfo = z.output<typeof mediaInfo>;
export type MediaStream = MediaInfo["streams"][number];

function sideDataTypes(list: z.output<typeof sideData>): string[] {
  return list.flatMap((data) => data.side_data_type ?? []);
}

/** Common Encryption and FairPlay, by a sample entry's name or by what the demuxer adds to packets. */
function isEncrypted(codecTag: string | undefined, types: readonly string[]): boolean {
  return (
    /^(enc[avts]|drm[si])$/.test(codecTag ?? "") ||
    types.some((type) => type.startsWith("Encryption"))
  );
}

function clockwise(degrees: number | undefined): 0 | 90 | 180 | 270 {
  // ffprobe counts counter-clockwise; other angles than quarter turns are left to the player.
  const turned = ((-(degrees ?? 0) % 360) + 360) % 360;
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0;
}
