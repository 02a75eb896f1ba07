import { createHash } from "node:crypto";
import { rename } from "node:fs/promises";
import { db } from "#lib/db/client.ts";
import { countSourceBytes } from "#lib/db/queries/images/image-days.ts";
import { importFile } from "#lib/engines/import/import-file.ts";
import { translateEngineError } from "#lib/engines/sandbox/failures/failures.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { requireSandbox } from "#lib/engines/sandbox/require-sandbox.ts";
import { type WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { detectFileType } from "#lib/engines/sniff/detect-type.ts";
import { runForTenant, sharedTenant } from "#lib/engines/warm/tenant.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import type { InputFile } from "#lib/engines/worker/operation.ts";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, statRegular } from "#lib/files/regular-files.ts";
import { createToken } from "#lib/ids.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { type MediaType, mediaType } from "#lib/media/types.ts";
import { fetchToFile } from "#lib/net/fetch.ts";
import { type Network, networkFor } from "#lib/net/network.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { encodeJxl } from "#lib/operations/image/convert/cjxl.ts";
import { plans } from "#lib/plans.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { storage } from "#lib/storage/index.ts";
import { type PictureHead, packPicture } from "../cache/cached-picture.ts";
import type { Drawn } from "../draw/options.ts";
import { drawPicture } from "../draw/worker-functions.ts";
import { defaultPlan, type ImagePlan, type PictureFormat } from "../plan/plan.ts";
import type { RenderReply, RenderRequest, SourceLocation } from "./messages.ts";

/** Makes pictures, in a media runner. */

/** A page waits for its pictures, so a slow source is given up early. */
const sourceTimes = { connectMs: 5000, headersMs: 10_000, chunkMs: 10_000, totalMs: 20_000 };

/** Larger files are no sources of pictures of a page. */
const maxSourceBytes = 100_000_000;

/** A picture that takes longer is too complex for a page. */
const drawMs = 30_000;

const mimeOf: Readonly<Record<PictureFormat, string>> = {
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  gif: "image/gif",
  tiff: "image/tiff",
  jxl: "image/jxl",
};

interface FetchedSource {
  readonly file: InputFile;
  readonly lastModified?: string | undefined;
}

interface Result {
  readonly body: Buffer;
  readonly contentType: string;
  readonly extension: string;
  readonly width?: number;
  readonly height?: number;
}

/**
 * Fetches the source, counts its bytes, and stores what the request asks for. Throws `JobError`. The
 * work folder is always removed.
 */
export async function renderPicture(
  request: RenderRequest,
  signal: AbortSignal,
): Promise<RenderReply> {
  const work = WorkFolder.create(processPath(`picture-${createToken()}`), {
    limits: limitsForPlan(request.accountPlan),
    network: noNetwork,
  });
  const tenant = env.ENGINE_ISOLATION === "account" ? request.accountId : sharedTenant;
  try {
    return await runForTenant(tenant, () => makePicture(request, work, signal));
  } catch (error) {
    throw translateEngineError(error);
  } finally {
    await work.remove();
  }
}

async function makePicture(
  request: RenderRequest,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<RenderReply> {
  const plan: ImagePlan = { ...defaultPlan, ...request.plan };
  const { file, lastModified } = await openSource(request, work, signal);
  const [result] = await Promise.all([
    makeResult(request, plan, file, work, signal),
    countBytes(request, file.bytes),
  ]);
  signal.throwIfAborted();
  const head: PictureHead = {
    contentType: result.contentType,
    createdAt: request.createdAt,
    source: request.sourceName,
    filename: `${stemOf(file.filename)}.${result.extension}`,
    etag: createHash("sha256").update(result.body).digest("base64url").slice(0, 27),
    ...(lastModified ? { lastModified } : {}),
    ...(result.width ? { width: result.width, height: result.height } : {}),
  };
  const bytes = packPicture({ head, body: result.body });
  await storage().write(request.storageKey, bytes);
  return { sourceBytes: file.bytes };
}

function stemOf(filename: string): string {
  return filename.replace(/\.[^.]*$/, "") || "image";
}

async function countBytes({ accountId, accountPlan }: RenderRequest, bytes: number): Promise<void> {
  const period = periodOf(new Date());
  const limit = plans[accountPlan].monthlyBytes;
  if (await countSourceBytes(db(), { accountId, period, bytes, limit })) return;
  throw new JobError("usage_limit_reached", "The usage limit of the plan is reached.");
}

async function openSource(
  { source, accountPlan }: RenderRequest,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<FetchedSource> {
  const maxBytes = Math.min(plans[accountPlan].maxFileBytes ?? maxSourceBytes, maxSourceBytes);
  const { path } = work.scratch("bin");
  if (source.kind === "stored") {
    await storage().getFile(source.key, path);
    const { size } = await statRegular(path);
    return { file: await nameByType(path, { filename: source.filename, bytes: size }, work) };
  }
  const fetched = await fetchToFile(
    { url: source.url, path, maxBytes, signal },
    networkOf(accountPlan),
  );
  return { file: await nameByType(path, fetched, work), lastModified: fetched.lastModified };
}

function networkOf(plan: RenderRequest["accountPlan"]): Network {
  if (!plans[plan].network) return noNetwork;
  return { ...networkFor("inputs"), limits: sourceTimes };
}

/** The file under the name of an input of its type. */
async function nameByType(
  path: string,
  found: {
    readonly filename: string;
    readonly bytes: number;
    readonly contentType?: string | undefined;
  },
  work: WorkFolder,
): Promise<InputFile> {
  const { filename, bytes, contentType } = found;
  const type = await detectFileType(path, { filename, ...(contentType ? { contentType } : {}) });
  const named = work.input(type.extension);
  await rename(path, named.path);
  return { ...named, type, bytes, filename };
}

async function makeResult(
  request: RenderRequest,
  plan: ImagePlan,
  file: InputFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Result> {
  requireImage(file.type);
  if (request.isInfo) return describeSource(file, work, signal);
  const isSkipped = plan.skipProcessing.includes(file.type.id) && isOwnFormat(plan, file.type);
  if (plan.raw || isSkipped) return sendAsItIs(file);
  const image = await toReadable(file, plan, work, signal);
  const watermark = await openWatermark(request, plan, work, signal);
  const { outputs, result } = await callInWorker(drawPicture, {
    files: watermark ? [image, watermark] : [image],
    options: { plan, preferred: request.preferred, hasWatermark: watermark !== undefined },
    work,
    signal,
    timeoutMs: drawMs,
  });
  const [drawn] = outputs;
  if (!drawn) throw new Error("a worker returned no picture");
  const picture = result.format === "jxl" ? await toJxl(drawn, result, work, signal) : drawn;
  const { format, width, height } = result;
  return {
    body: await readRegular(picture.path),
    contentType: mimeOf[format],
    extension: format === "jpeg" ? "jpg" : format,
    width,
    height,
  };
}

function requireImage(type: MediaType): void {
  if (type.kind === "image") return;
  throw new JobError("unsupported_type", "The source is not an image.");
}

function isOwnFormat(plan: ImagePlan, type: MediaType): boolean {
  return plan.format === null || plan.format === type.id;
}

async function sendAsItIs(file: InputFile): Promise<Result> {
  return {
    body: await readRegular(file.path),
    contentType: file.type.mime,
    extension: file.type.extension,
  };
}

async function describeSource(
  file: InputFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Result> {
  const image = await toReadable(file, defaultPlan, work, signal);
  const { width, height, orientation = 1 } = await readImageInfo(image, work, signal);
  const isTurned = orientation >= 5 && orientation <= 8;
  const info = {
    size: file.bytes,
    format: file.type.id,
    mime_type: file.type.mime,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    orientation,
  };
  return {
    body: Buffer.from(JSON.stringify(info)),
    contentType: "application/json",
    extension: "json",
  };
}

/** The source as a type that sharp reads. A drawing is made as large as it is needed. */
async function toReadable(
  file: InputFile,
  plan: ImagePlan,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<InputFile> {
  if (file.type.id === "svg") await requireSandbox("pictures of SVG");
  const scale = plan.dpr * Math.max(plan.zoomX, plan.zoomY);
  const side = (pixels: number) => (pixels > 0 ? { pixels: Math.ceil(pixels * scale) } : {});
  const { pixels: width } = side(plan.width);
  const { pixels: height } = side(plan.height);
  const size = { ...(width ? { width } : {}), ...(height ? { height } : {}) };
  return importFile(file, { raw: "preview", size }, work, signal);
}

async function openWatermark(
  request: RenderRequest,
  plan: ImagePlan,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<InputFile | undefined> {
  const url = plan.watermark?.url ?? env.IMGPROXY_WATERMARK_URL;
  if (!plan.watermark || plan.watermark.opacity === 0 || !url) return undefined;
  const source: SourceLocation = { kind: "url", url };
  const { file } = await openSource({ ...request, source }, work, signal);
  requireImage(file.type);
  await countBytes(request, file.bytes);
  return toReadable(file, defaultPlan, work, signal);
}

async function toJxl(
  png: WorkFile,
  { quality, width, height }: Drawn,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const output = work.output(mediaType("jxl").extension);
  const encoding = { quality, lossless: false, progressive: false, pixels: width * height };
  await encodeJxl(png, output, encoding, work, signal);
  return output;
}
