import { encodeHeic } from "#lib/engines/import/vips.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import type { InputFile } from "#lib/engines/worker/operation.ts";
import { env } from "#lib/env.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { type MediaType, mediaType } from "#lib/media/types.ts";
import { encodeJxl } from "#lib/operations/image/convert/cjxl.ts";
import type { Drawn, DrawOptions } from "../draw/options.ts";
import { drawPicture } from "../draw/worker-functions.ts";
import { overlayUrls } from "../plan/pixel-filters.ts";
import { defaultPlan, type ImagePlan, type PictureFormat } from "../plan/plan.ts";
import { describeOperations } from "../thumbor/describe-operations.ts";
import { type FoundSource, findSource, toInput } from "./find-source.ts";
import type { RenderRequest, SourceLocation } from "./messages.ts";
import { requireImage, toReadable } from "./readable-source.ts";

/** What a request needs besides its source. */
export interface RenderTools {
  /** The work folder, which is created when it is first needed. */
  readonly work: () => WorkFolder;
  readonly limits: FileLimits;
  readonly signal: AbortSignal;
  /** Counts bytes of a source. Throws `JobError` if the plan's limit is reached. */
  readonly count: (bytes: number) => Promise<void>;
}

/** A picture that takes longer is too complex for a page. */
export const drawMs = 30_000;

export interface Result {
  readonly body: Buffer;
  readonly contentType: string;
  readonly extension: string;
  readonly width?: number;
  readonly height?: number;
}

/** Whether an engine makes the format from the picture that a worker draws. */
export function isConverted(format: PictureFormat): format is "jxl" | "heic" {
  return format === "jxl" || format === "heic";
}

/** What a response says of a picture. */
export function describeDrawn({ format, width, height }: Drawn): Omit<Result, "body"> {
  const { mime, extension } = mediaType(format);
  return { contentType: mime, extension, width, height };
}

/** Makes what the request asks for, in a work folder. Throws `JobError`. */
export async function makeResult(
  request: RenderRequest,
  plan: ImagePlan,
  source: FoundSource,
  tools: RenderTools,
): Promise<Result> {
  const { signal } = tools;
  const work = tools.work();
  const file = await toInput(source, work);
  if (request.info) return describeSource(file, plan, request, work, signal);
  const isSkipped = plan.skipProcessing.includes(file.type.id) && isOwnFormat(plan, file.type);
  if (plan.raw || isSkipped) return sendAsItIs(file);
  const image = await toReadable(file, plan, work, signal);
  const watermarks = await openWatermarks(request, plan, tools);
  const { outputs, result } = await callInWorker(drawPicture, {
    files: [image, ...watermarks],
    options: { ...settleOptions(plan, file.type, request.preferred), vector: image.vector },
    work,
    signal,
    timeoutMs: drawMs,
  });
  const [drawn] = outputs;
  if (!drawn) throw new Error("a worker returned no picture");
  const picture = await convertDrawn(drawn, result, work, signal);
  return { body: await readRegular(picture.path), ...describeDrawn(result) };
}

/** The options for the image that was made of the source. */
function settleOptions(
  plan: ImagePlan,
  { kind }: MediaType,
  preferred: readonly PictureFormat[],
): DrawOptions {
  if (kind === "image") return { plan, preferred };
  // A page has only one image. A frame is a photo, although it is a PNG here.
  const formats: readonly PictureFormat[] = kind === "video" ? [...preferred, "jpeg"] : preferred;
  return { plan: { ...plan, page: 0 }, preferred: formats };
}

function isOwnFormat(plan: ImagePlan, type: MediaType): boolean {
  return plan.format === null || plan.format === type.id;
}

async function sendAsItIs(file: InputFile): Promise<Result> {
  requireImage(file.type);
  return {
    body: await readRegular(file.path),
    contentType: file.type.mime,
    extension: file.type.extension,
  };
}

async function describeSource(
  file: InputFile,
  plan: ImagePlan,
  { info, sourceName }: RenderRequest,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Result> {
  const { page, second } = plan;
  const image = await toReadable(file, { ...defaultPlan, page, second }, work, signal);
  const { width, height, pages, orientation = 1 } = await readImageInfo(image, work, signal);
  const isTurned = orientation >= 5 && orientation <= 8;
  const size = isTurned ? { width: height, height: width } : { width, height };
  const description =
    info === "operations"
      ? describeOperations({ url: sourceName, ...size, frameCount: pages }, plan)
      : { size: file.bytes, format: file.type.id, mime_type: file.type.mime, ...size, orientation };
  return {
    body: Buffer.from(JSON.stringify(description)),
    contentType: "application/json",
    extension: "json",
  };
}

/** The watermark of imgproxy's URLs, or those of thumbor's in the order of `overlayUrls`. */
async function openWatermarks(request: RenderRequest, plan: ImagePlan, tools: RenderTools) {
  const { watermark } = plan;
  const url = watermark?.url ?? env.IMGPROXY_WATERMARK_URL;
  const isDrawn = watermark !== null && watermark.opacity > 0;
  const urls = isDrawn && url ? [url] : overlayUrls(plan.filters);
  const opening = urls.map((one) => openWatermark(one, request, tools));
  // The work folder is removed after an error, so no other one may still be written to it.
  await Promise.allSettled(opening);
  return Promise.all(opening);
}

async function openWatermark(
  url: string,
  request: RenderRequest,
  { work, signal, count }: RenderTools,
): Promise<InputFile> {
  const location: SourceLocation = { kind: "url", url };
  const source = await findSource(location, request, work, signal);
  const file = await toInput(source, work());
  requireImage(file.type);
  await count(file.bytes);
  return toReadable(file, defaultPlan, work(), signal);
}

/** The picture in its format, of which the worker may have written a PNG. */
async function convertDrawn(
  drawn: WorkFile,
  { format, quality, width, height }: Drawn,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  if (!isConverted(format)) return drawn;
  const output = work.output(mediaType(format).extension);
  if (format === "heic") {
    await encodeHeic(drawn, output, { quality }, work, signal);
  } else {
    const encoding = { quality, lossless: false, progressive: false, pixels: width * height };
    await encodeJxl(drawn, output, encoding, work, signal);
  }
  return output;
}
