import { type Runner, startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

/**
 * Runs several media runners of the embedded queue in one process, until SIGTERM: `node simulated-runners.ts NUMBER FIRST ALL`,
 * those from `FIRST` on of `ALL` that run.
 * They claim, prepare and end jobs as real runners do, but `image/qr-code` does nothing on an engine.
 */

const operation = findOperation("image/qr-code");
if (!operation) throw new Error("there is no such operation");
Object.assign(operation, {
  run: async () => ({ outputs: [], result: {} }),
  requires: [],
  runsIn: "runner",
});

const [own = 0, first = 0, count = 0] = process.argv.slice(2).map(Number);
const runners: Runner[] = [];
for (let index = 0; index < own; index++) {
  const place = { rank: first + index, count };
  runners.push(await startMediaRunner(undefined, undefined, undefined, () => place));
}
process.stdout.write("ready\n");
process.once("SIGTERM", async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  process.exit(0);
});
