import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { closeEngines } from "#lib/engines/index.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { mediaType } from "#lib/media/types.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { Operation } from "#lib/operations/define.ts";
import { executeInWorker } from "#lib/operations/execute.ts";
import { adjust } from "#lib/operations/image/adjust/index.ts";
import { crop } from "#lib/operations/image/crop/index.ts";
import { flip } from "#lib/operations/image/flip/index.ts";
import { resize } from "#lib/operations/image/resize/index.ts";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { type BenchRow, makeRow, measureInTurns, percentile, timed } from "./report/rows.ts";

/** A chain of five image operations against each of them alone, on a photo of 12 megapixels. */

const steps: readonly (readonly [Operation, Record<string, unknown>])[] = [
  [crop, { left: 10, top: 10, width: 3900, height: 2600 }],
  [adjust, { brightness: 1.1 }],
  [sharpen, { sigma: 1.5 }],
  [flip, { direction: "horizontal" }],
  // Last, so that all others have the full size, as alone.
  [resize, { width: 3000 }],
];

async function run(photo: string, chain: typeof steps, folder: string): Promise<void> {
  const work = WorkFolder.create(await mkdtemp(join(folder, "job-")), { network: noNetwork });
  const file = work.input("jpg");
  await copyFile(photo, file.path);
  const input = { ...file, type: mediaType("jpeg"), bytes: 1, filename: "photo.jpg" };
  const workerSteps = chain.map(([operation, params]) => ({
    operation,
    files: {},
    params: operation.params.parse(params) as Record<string, unknown>,
  }));
  const { signal } = new AbortController();
  await executeInWorker(workerSteps, { input, inputs: [input], work, signal, progress: () => {} });
  await work.remove();
}

export default {
  title: "chain",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-chain-"));
    try {
      const photo = join(folder, "photo.jpg");
      const source = join(projectFolder, "public", "samples", "inputs", "photo.jpg");
      await sharp(source).resize(4000, 3000).jpeg({ quality: 90 }).toFile(photo);
      const alone = steps.map((step) => {
        const [{ id }] = step;
        return [id, () => timed(() => run(photo, [step], folder))] as const;
      });
      const chain = () => timed(() => run(photo, steps, folder));
      const works: Record<string, () => ReturnType<typeof timed>> = {
        ...Object.fromEntries(alone),
        chain,
      };
      const sides = await measureInTurns(works, { rounds: 7 });
      const rows = Object.entries(sides).map(([side, { values }]) =>
        makeRow("a photo of 12 megapixels", side, "ms", values),
      );
      const medians = alone.map(([id]) => percentile(sides[id]?.values ?? [], 0.5));
      const ratio = percentile(sides.chain?.values ?? [], 0.5) / Math.max(...medians);
      return [
        ...rows,
        makeRow("chain ÷ its slowest step", "ratio", "×", ratio, { target: { max: 2 } }),
      ];
    } finally {
      await closeEngines();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
