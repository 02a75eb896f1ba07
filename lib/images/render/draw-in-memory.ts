import { callInWorkerWithBytes } from "#lib/engines/worker/call.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { drawPicture } from "../draw/worker-functions.ts";
import { overlayUrls } from "../plan/pixel-filters.ts";
import type { ImagePlan } from "../plan/plan.ts";
import { type FoundSource, sniffSource } from "./find-source.ts";
import {
  describeDrawn,
  drawMs,
  isConverted,
  type RenderTools,
  type Result,
} from "./make-result.ts";
import type { RenderRequest } from "./messages.ts";

/**
 * Draws the usual pictures, which are most of all, without a work folder. Half of the time of a small
 * picture would be that of its files.
 */

/** Types that a worker reads as they are. */
const readTypes: readonly MediaTypeId[] = ["jpeg", "png", "webp", "gif", "avif"];

/** The picture. Undefined if it needs a work folder. Throws `JobError`. */
export async function drawInMemory(
  { info, preferred }: RenderRequest,
  plan: ImagePlan,
  source: FoundSource,
  { limits, signal }: RenderTools,
): Promise<Result | undefined> {
  const needsOthers = plan.watermark !== null || overlayUrls(plan.filters).length > 0;
  const isPlain = !info && !plan.raw && !needsOthers && plan.skipProcessing.length === 0;
  const format = plan.format ?? preferred[0];
  if (source.kind !== "memory" || !isPlain || (format && isConverted(format))) return undefined;
  const type = await sniffSource(source);
  if (!readTypes.includes(type.id)) return undefined;
  const { outputs, result } = await callInWorkerWithBytes(drawPicture, {
    files: [{ name: `in/0.${type.extension}`, content: source.content }],
    options: { plan, preferred, inReply: true },
    limits,
    signal,
    timeoutMs: drawMs,
  });
  const { body: text } = result;
  const body = text === undefined ? outputs[0]?.bytes : Buffer.from(text, "base64");
  if (!body) throw new Error("a worker returned no picture");
  return { body, ...describeDrawn(result) };
}
