import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { readFrame } from "#lib/engines/ffmpeg/frames/read-frame.ts";
import type { VectorSize } from "#lib/engines/image/vector-size.ts";
import { importFile } from "#lib/engines/import/import-file.ts";
import { readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { requireSandbox } from "#lib/engines/sandbox/require-sandbox.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import type { InputFile } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { type MediaType, mediaType } from "#lib/media/types.ts";
import { renderPageImage } from "#lib/operations/shared/to-pdf/page-image.ts";
import { planGeometry } from "../plan/geometry.ts";
import type { ImagePlan } from "../plan/plan.ts";
import { maxPixels, type Size, swapSides } from "../plan/size.ts";
import type { Transform } from "../plan/transform.ts";

/** Makes sources readable for a worker: a video's frame, a PDF's page, and images of other types. */

/** Throws `JobError` unless the type is that of an image. */
export function requireImage(type: MediaType): void {
  if (type.kind === "image") return;
  throw new JobError("unsupported_type", "The source is not an image.");
}

/** The sides that are asked for, in pixels of the picture. */
function wantedSides({ transform, dpr, zoomX, zoomY, width, height }: ImagePlan) {
  if (transform) return wantedByTransform(transform);
  const scale = dpr * Math.max(zoomX, zoomY);
  return { width: toSide(width * scale), height: toSide(height * scale) };
}

function wantedByTransform({ width, height, box, focalPoints }: Transform) {
  // All of these are in pixels of the source, which another size would move.
  if (width === "orig" || height === "orig" || box || focalPoints.length > 0) return {};
  return { width: toSide(width), height: toSide(height) };
}

function toSide(pixels: number): number | undefined {
  return pixels > 0 ? Math.ceil(pixels) : undefined;
}

/** An image that sharp reads. */
export type ReadableSource = InputFile & {
  /** The own size of a drawing that an imgproxy URL asks for. */
  readonly vector?: Size;
};

/**
 * The source as a type that sharp reads. A drawing or a page is made as large as it is needed. Throws
 * `JobError`.
 */
export async function toReadable(
  file: InputFile,
  plan: ImagePlan,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<ReadableSource> {
  const { type } = file;
  if (type.kind === "video") return asImage(await drawFrame(file, plan, work, signal), file);
  if (type.id === "pdf") return asImage(await drawPage(file, plan, work, signal), file);
  if (type.kind !== "image") {
    throw new JobError("unsupported_type", "The source is no image, video or PDF.");
  }
  if (type.id === "svg") return readDrawing(file, plan, work, signal);
  return importFile(file, { raw: "preview", size: {} }, work, signal);
}

async function readDrawing(
  file: InputFile,
  plan: ImagePlan,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<ReadableSource> {
  await requireSandbox("pictures of SVG");
  const draw = (size: VectorSize) =>
    importFile(file, { raw: "preview", size: { ...size, mostPixels: maxPixels } }, work, signal);
  if (plan.transform) return draw(wantedByTransform(plan.transform));
  const { width, height } = await readImageInfo(file, work, signal);
  const vector = { width, height };
  return { ...(await draw(wantedSize(vector, plan))), vector };
}

/** The size at which a drawing has the pixels that are asked for, also of a part of it. */
function wantedSize(own: Size, plan: ImagePlan): Size {
  const turn = plan.rotate % 180 === 0 ? (size: Size) => size : swapSides;
  const { crop, scaled } = planGeometry(turn(own), { ...plan, enlarge: true });
  const [part, wanted] = [turn(crop), turn(scaled)];
  return {
    width: (own.width * wanted.width) / part.width,
    height: (own.height * wanted.height) / part.height,
  };
}

async function asImage(image: WorkFile, { filename }: InputFile): Promise<InputFile> {
  const { size } = await statRegular(image.path);
  return { ...image, type: mediaType("png"), bytes: size, filename };
}

/** The frame at the second of the plan, or of a shorter video the last one. */
async function drawFrame(
  file: InputFile,
  plan: ImagePlan,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const info = await probe(file, work, signal);
  const video = requireVideo(info);
  const duration = video.duration ?? info.duration ?? 0;
  const time = Math.min(plan.second, duration);
  const format = "png";
  const request = { file, info, video, time, format, work, signal } as const;
  return readFrame(request, work.scratch(format));
}

/** Pixels across a page: small ones would be blurred, and larger ones take seconds. */
const pageWidths = { least: 400, most: 4000, default: 1240 } as const;

async function drawPage(
  file: InputFile,
  plan: ImagePlan,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const { width = 0, height = 0 } = wantedSides(plan);
  // The page may be wider than it is high.
  const wanted = 2 * Math.max(width, height) || pageWidths.default;
  const pages = plan.page === 0 ? 1 : (await readPdfInfo(file, work, signal)).pages;
  // As in imgproxy, there is the last page in place of those after it.
  const size = { page: Math.max(1, Math.min(plan.page + 1, pages)), width: clampWidth(wanted) };
  return renderPageImage(file, size, work.scratch("png"), work, signal);
}

function clampWidth(pixels: number): number {
  return Math.round(Math.min(pageWidths.most, Math.max(pageWidths.least, pixels)));
}
