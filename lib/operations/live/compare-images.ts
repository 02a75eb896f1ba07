import { openImage, translateVipsErrors } from "#lib/engines/image/open.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall, WorkerOutput } from "#lib/engines/worker/worker-function.ts";
import { type ComparedPlanes, computeSsim, toPlanes } from "../shared/image/ssim.ts";

/** The structural similarity of two images, upright and without transparency. */
export async function compareImages({
  files,
}: WorkerCall<unknown>): Promise<WorkerOutput<{ ssim: number | null }>> {
  const [first, second] = await Promise.all(files.map(readPlanes));
  if (!first || !second) throw new Error("two images are compared");
  const [one, other] = [first[0], second[0]];
  const isSame = one?.width === other?.width && one?.height === other?.height;
  return { outputs: [], result: { ssim: isSame ? computeSsim(first, second) : null } };
}

async function readPlanes(file: WorkFile): Promise<ComparedPlanes> {
  const image = await openImage(file, undefined, { firstPage: true });
  const opaque = image.toSrgb().autoOrient().flatten({ background: "#808080" });
  const raw = opaque.raw().toBuffer({ resolveWithObject: true });
  const { data, info } = await translateVipsErrors(raw);
  return toPlanes({ data, width: info.width, height: info.height });
}
