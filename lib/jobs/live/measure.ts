import type { LiveMeasure, LiveSource, MeasureTask } from "#lib/db/schema/live-task.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { createToken } from "#lib/ids.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { InputFile } from "#lib/operations/define.ts";
import { compareImages } from "#lib/operations/live/worker-functions.ts";
import { gatherSource, outputToInput } from "./files.ts";
import { runOne } from "./run-one.ts";

/** How similar an output is to its input, or how loud it is. A video is compared by one frame. */
export async function measureOutput(task: MeasureTask, signal: AbortSignal): Promise<LiveMeasure> {
  const { plan, media, input, output } = task;
  const work = WorkFolder.create(processPath(`live-${createToken()}`), {
    limits: limitsForPlan(plan),
    network: noNetwork,
  });
  try {
    if (media === "audio") {
      const file = await gatherSource(output, undefined, work);
      const { result } = await runOne("audio/loudness", {}, file, work, signal);
      const lufs = result?.integrated_lufs;
      return { ssim: null, lufs: typeof lufs === "number" ? lufs : null };
    }
    if (!input) return { ssim: null, lufs: null };
    const files = [await picture(input), await picture(output)];
    const { result } = await callInWorker(compareImages, { files, work, signal });
    return { ssim: result.ssim, lufs: null };
  } finally {
    await work.remove();
  }

  /** A file as pixels that the worker reads: HEIC and the like are converted, of a video a frame is taken. */
  async function picture(source: LiveSource): Promise<InputFile> {
    const file = await gatherSource(source, undefined, work);
    if (media === "image" && readTypes.has(file.type.id)) return file;
    const [id, params] =
      media === "video"
        ? ["video/thumbnail", { time: sampledSecond, format: "png" }]
        : ["image/convert", { format: "png" }];
    const { output: made } = await runOne(id, params, file, work, signal).catch((error) => {
      // The video is shorter.
      if (media !== "video") throw error;
      return runOne(id, { ...params, time: 0 }, file, work, signal);
    });
    return outputToInput(made, work);
  }
}

/** Types that the worker reads itself. */
const readTypes: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "avif", "tiff"]);

/** Later than most fades from black. */
const sampledSecond = 1;
