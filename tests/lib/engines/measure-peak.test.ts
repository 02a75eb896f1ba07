import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { measurePeak } from "#tests/hostile/engine-processes.ts";

const megabyte = 10 ** 6;

/** Takes 100 MB more for each byte that it reads. */
const program = `
  const all = [];
  process.stdin.on("data", (bytes) => {
    for (const _ of bytes) all.push(Buffer.alloc(${100 * megabyte}, 1));
    process.stdout.write("x");
  });
`;

const started: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** A process with 100 MB and what Node.js itself needs, about 20 MB. */
async function startEngine(): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, ["-e", program]);
  started.push(child);
  await takeMore(child);
  return child;
}

async function takeMore(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.stdin.write("x");
  await once(child.stdout, "data");
}

it("counts what engines take for the work, and not what warm ones keep of earlier work", async () => {
  const warm = await startEngine();
  await startEngine();
  const idle = await measurePeak(async () => {});
  expect(idle.peakBytes).toBeLessThan(50 * megabyte);
  const grown = await measurePeak(() => takeMore(warm));
  expect(grown.peakBytes).toBeGreaterThan(90 * megabyte);
  expect(grown.peakBytes).toBeLessThan(180 * megabyte);
  // An engine that ends does not hide what another takes.
  const replaced = await measurePeak(async () => {
    warm.kill("SIGKILL");
    await once(warm, "close");
    await startEngine();
  });
  expect(replaced.peakBytes).toBeGreaterThan(90 * megabyte);
  expect(replaced.peakBytes).toBeLessThan(180 * megabyte);
});
