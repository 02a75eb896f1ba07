import { readFile } from "node:fs/promises";
import type { CardTask, LivePicture } from "#lib/db/schema/live-task.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { type WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { createToken } from "#lib/ids.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { InputFile } from "#lib/operations/define.ts";
import { gatherSource, outputToInput } from "./files.ts";
import { drawFirstPage } from "./first-page.ts";
import { runOne } from "./run-one.ts";

/** The longer side of a card in pixels: what chat programs show of a link. */
const cardSide = 1200;

/** A picture of a file for the preview of a link: the image, a frame that shows something, or the first page. */
export async function drawCard(
  { plan, source }: CardTask,
  signal: AbortSignal,
): Promise<LivePicture> {
  const work = WorkFolder.create(processPath(`live-${createToken()}`), {
    limits: limitsForPlan(plan),
    network: noNetwork,
  });
  const startedAt = performance.now();
  try {
    const card = await draw(await gatherSource(source, undefined, work), work, signal);
    return {
      image: (await readFile(card.path)).toString("base64"),
      contentType: mediaTypeOfExtension(card.extension).mime,
      width: null,
      height: null,
      bytes: null,
      isApproximate: false,
      engineMs: Math.round(performance.now() - startedAt),
    };
  } finally {
    await work.remove();
  }
}

async function draw(file: InputFile, work: WorkFolder, signal: AbortSignal): Promise<WorkFile> {
  const run = async (id: string, params: Record<string, unknown>, input = file) =>
    (await runOne(id, params, input, work, signal)).output;
  if (file.type.id === "pdf") return drawFirstPage(file, cardSide, work, signal);
  if (file.type.kind === "video") return run("video/thumbnail", { width: cardSide });
  if (file.type.kind !== "image") return run("document/thumbnail", { width: 800 });
  const fit = { width: cardSide, height: cardSide, fit: "inside" };
  const small = await outputToInput(await run("image/resize", fit), work);
  return run("image/convert", { format: "jpeg" }, small);
}
