import { rename } from "node:fs/promises";
import { openFrames } from "#lib/engines/image/formats/convert.ts";
import type { SourceImage } from "#lib/engines/image/open.ts";
import { requireDecodable } from "#lib/engines/image/save.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { copyToNew, statRegular } from "#lib/files/regular-files.ts";
import type { InputFile, OutputFile } from "../../define.ts";
import { type Encoded, Encoder, type Level } from "./encoder.ts";
import { fitBytes } from "./fit-bytes.ts";
import type { WrittenFormat } from "./levels.ts";
import { sampleImage } from "./sample-image.ts";
import { findSimilarLevel } from "./search.ts";

/** What the file is made for: a quality of 1 to 100, a size, or a similarity. */
export type Goal =
  | { readonly quality: number }
  | { readonly maxBytes: number }
  | { readonly ssim: number };

interface Candidate extends Encoded {
  readonly format: WrittenFormat;
  /** The similarity to the image, from -1 to 1. */
  readonly ssim: number;
}

/**
 * Compresses `input` to `format`, by default its own. The file is returned as it is if it already is
 * the best one. Throws `JobError`.
 */
export async function compressImage(
  input: InputFile,
  goal: Goal,
  format: WrittenFormat | "best" | undefined,
  work: WorkFolder,
  progress: (percent: number) => void,
): Promise<{ output: OutputFile; result: Compression }> {
  const own = input.type.id as WrittenFormat; // the accepted types
  const formats = await chooseFormats(input, format ?? own, work);
  const before = (await statRegular(input.path)).size;
  const mayKeep = format === undefined || format === own || format === "best";
  if (mayKeep && "maxBytes" in goal && before <= goal.maxBytes) return keep(input, before, work);
  const candidates: Candidate[] = [];
  for (const [index, written] of formats.entries()) {
    const isOptional = formats.length > 1;
    const candidate = await compressTo(written, input, goal, work, isOptional);
    if (candidate) candidates.push(candidate);
    progress(((index + 1) / formats.length) * 100);
  }
  const [best] = candidates.sort((left, right) =>
    "maxBytes" in goal ? right.ssim - left.ssim : left.bytes - right.bytes,
  );
  if (!best) throw new Error("no format to compress to");
  if (mayKeep && !("maxBytes" in goal) && before <= best.bytes) return keep(input, before, work);
  const output = work.output(best.file.extension);
  await rename(best.file.path, output.path);
  const { width, height, bytes, ssim } = best;
  const result = { format: best.format, bytes_before: before, bytes, ssim: round(ssim) };
  return { output: { ...output, width, height }, result };
}

interface Compression {
  readonly format: string;
  readonly bytes_before: number;
  readonly bytes: number;
  readonly ssim: number;
}

const round = (ssim: number) => Math.round(ssim * 10_000) / 10_000;

async function keep(input: InputFile, bytes: number, work: WorkFolder) {
  const source = await openFrames(input, input.type.id as WrittenFormat, work.limits);
  await requireDecodable(source);
  const output = work.output(input.extension);
  await copyToNew(input.path, output.path);
  const { width, height, orientation } = source;
  const size = orientation >= 5 ? { width: height, height: width } : { width, height };
  const result = { format: input.type.id, bytes_before: bytes, bytes, ssim: 1 };
  return { output: { ...output, ...size }, result };
}

/** The formats to try. Animations stay animated in the best one, so that only some formats remain. */
async function chooseFormats(
  input: InputFile,
  format: WrittenFormat | "best",
  work: WorkFolder,
): Promise<WrittenFormat[]> {
  if (format !== "best") return [format];
  const source = await openFrames(input, "webp", work.limits);
  if (source.pages > 1) return source.metadata.format === "gif" ? ["webp", "gif"] : ["webp"];
  const opaque = source.metadata.hasAlpha ? [] : (["jpeg"] as const);
  return ["avif", "webp", "png", ...opaque];
}

/**
 * Compresses to one format. Returns undefined if it `isOptional` and cannot be the smallest one.
 */
async function compressTo(
  format: WrittenFormat,
  input: InputFile,
  goal: Goal,
  work: WorkFolder,
  isOptional: boolean,
): Promise<Candidate | undefined> {
  const source = await openFrames(input, format, work.limits);
  const whole = new Encoder(source, format, work);
  if ("quality" in goal) return measure(whole, format, levelFor(goal.quality, whole));
  const sampled = await sampleImage(source, work);
  const sample = sampled === source ? whole : new Encoder(sampled, format, work);
  if ("maxBytes" in goal) {
    const fitted = await fitBytes({ whole, sample }, format, goal.maxBytes, work);
    if (fitted) return measure(fitted.encoder, format, fitted.level);
    const message = "The image cannot be made as small as `max_bytes`.";
    throw new JobError("too_large", message);
  }
  const level = await findSimilarLevelOrLossless({ whole, sample }, goal.ssim, isOptional);
  if (level === undefined) return undefined;
  return measure(whole, format, level);
}

/** A TIFF that JPEG cannot hold stays lossless, and so does a PNG or GIF of the best quality. */
function levelFor(quality: number, { levels }: Encoder): Level {
  const isLossless =
    levels.lossless && (levels.isLosslessOnly || (levels.isCoarse && quality === 100));
  return isLossless ? "lossless" : levels.ofQuality(quality);
}

/** The smaller one of a similar lossy file and a lossless one, which graphics may compress to. */
async function findSimilarLevelOrLossless(
  search: { whole: Encoder; sample: Encoder },
  ssim: number,
  isOptional: boolean,
): Promise<Level | undefined> {
  const { whole } = search;
  const { lossless, isLosslessOnly, isCoarse, top } = whole.levels;
  const losesDepth = isCoarse && whole.source.depth === "ushort";
  const similar = isLosslessOnly || losesDepth ? undefined : await findSimilarLevel(search, ssim);
  // A PNG without loss is much larger than a photograph in another format.
  if (isOptional && isCoarse && similar === undefined && isPhotograph(whole.source))
    return undefined;
  const triesLossless = lossless && (similar === undefined || !isPhotograph(whole.source));
  if (!triesLossless) return similar ?? top;
  const { bytes } = await whole.encode("lossless");
  return similar !== undefined && (await whole.encode(similar)).bytes <= bytes
    ? similar
    : "lossless";
}

/** A lossless copy of a lossy image is larger than the image. */
const isPhotograph = ({ metadata }: SourceImage) =>
  metadata.format === "jpeg" || metadata.format === "heif";

async function measure(encoder: Encoder, format: WrittenFormat, level: Level): Promise<Candidate> {
  const encoded = await encoder.encode(level);
  return { ...encoded, format, ssim: level === "lossless" ? 1 : await encoder.compare(level) };
}
