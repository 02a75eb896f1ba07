import { readFile } from "node:fs/promises";
import type { LivePicture, PreviewTask } from "#lib/db/schema/live-task.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { type WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { createToken } from "#lib/ids.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { InputFile, OutputFile } from "#lib/operations/define.ts";
import { estimateBytes, fullSize } from "#lib/operations/live/full-size.ts";
import { type LiveKind, liveKindOf } from "#lib/operations/live/live-kind.ts";
import { scaleParams } from "#lib/operations/live/scale-params.ts";
import { linkInput, outputToInput } from "./files.ts";
import { drawFirstPage } from "./first-page.ts";
import type { LiveProxy, Proxies } from "./proxies.ts";
import { runOne } from "./run-one.ts";

/** Types that browsers show. All others are converted for the page. */
const shownTypes = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"];

/** The longer side of a page: about `proxySide` across for A4. */
const pageSide = 724;

/** A larger picture is not sent to a page that only wants to look at it. */
const maxShownBytes = 1_500_000;

/** Runs an operation on the proxy of its file, with the parameters scaled to it. */
export async function previewOperation(
  task: PreviewTask,
  proxies: Proxies,
  signal: AbortSignal,
): Promise<LivePicture> {
  const operation = findOperation(task.operation);
  const kind = operation && liveKindOf(operation);
  if (!kind) throw new Error(`there is no live preview of ${task.operation}`);
  const proxy = task.source
    ? await proxies.of(task, task.source, operation, kind, signal)
    : undefined;
  const { scale = 1, full, exponent = 1 } = proxy ?? {};
  const scaled = scaleParams(operation, task.params, scale);
  const work = WorkFolder.create(processPath(`live-${createToken()}`), {
    limits: limitsForPlan(task.plan),
    network: noNetwork,
  });
  try {
    const input = proxy && (await linkInput(proxy.file, work));
    const startedAt = performance.now();
    const { output } = await runOne(operation.id, scaled.params, input, work, signal).catch(
      (error) => {
        throw proxy ? aboutWhole(error, proxy) : error;
      },
    );
    const engineMs = Math.round(performance.now() - startedAt);
    const { size } = await statRegular(output.path);
    const shape = sizeOf(output);
    const target = full && shape && fullSize(shape, full, scale, operation, task.params);
    const isImage = kind === "image" && target && shape;
    return {
      ...(await toPicture(kind, output, size, work, signal)),
      width: target?.width ?? shape?.width ?? null,
      height: target?.height ?? shape?.height ?? null,
      bytes: isImage ? estimateBytes(size, shape, target, exponent) : task.source ? null : size,
      isApproximate: scaled.isApproximate,
      engineMs,
    };
  } finally {
    await work.remove();
  }
}

/** The error of a proxy as an error of the file: with the size of the file in the place of that of the proxy. */
function aboutWhole(error: unknown, { size, full, scale }: LiveProxy): unknown {
  if (!(error instanceof JobError) || !size || !full || scale === 1) return error;
  const pattern = new RegExp(`\\b${size.width}( ?× ?)${size.height}\\b`, "g");
  const message = error.message.replace(pattern, `${full.width}$1${full.height}`);
  return new JobError(error.code, message, { cause: error });
}

function sizeOf({ width, height }: OutputFile): LiveProxy["full"] {
  return width && height ? { width, height } : null;
}

/** The output as a picture for a page: a frame of a video, the page of a document. */
async function toPicture(
  kind: LiveKind,
  output: OutputFile,
  bytes: number,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Pick<LivePicture, "image" | "contentType">> {
  const contentType = mediaTypeOfExtension(output.extension).mime;
  const isShown = shownTypes.includes(contentType) && bytes <= maxShownBytes;
  if (kind === "image" && isShown) {
    return { contentType, image: (await readFile(output.path)).toString("base64") };
  }
  const shown = await show(kind, await outputToInput(output, work), work, signal);
  const { size } = await statRegular(shown.path);
  if (size > maxShownBytes) throw new JobError("too_large", "The preview is too large to show.");
  const image = (await readFile(shown.path)).toString("base64");
  return { contentType: mediaTypeOfExtension(shown.extension).mime, image };
}

async function show(
  kind: LiveKind,
  input: InputFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile & Pick<OutputFile, "extension">> {
  const run = async (id: string, params: Record<string, unknown>) =>
    (await runOne(id, params, input, work, signal)).output;
  switch (kind) {
    case "image":
      return run("image/convert", { format: "webp" });
    case "frame":
      return run("video/thumbnail", { time: 0 });
    case "page":
      return drawFirstPage(input, pageSide, work, signal);
  }
}
