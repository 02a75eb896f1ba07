import { holdPoints } from "#tests/faults/fault-points.ts";
import { injectFault } from "#tests/faults/inject-fault.ts";
import { FaultService } from "#tests/faults/service.ts";
import type { Target } from "#tests/faults/targets.ts";

/**
 * Kills every service at every fault point of a job. After each kill all accepted jobs must end with a
 * complete output, their usage counted once and their webhooks sent, and nothing may remain.
 * `FAULT_POINTS` runs only the named fault points, separated by commas.
 */

const jobServices: readonly Target[] = ["media", "web", "postgres"];
const chosen = (process.env.FAULT_POINTS ?? "").split(",").filter(Boolean);
const service = await FaultService.start();
let failures = 0;
try {
  for (const { name } of holdPoints) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const isDelivery = name.endsWith("-attempt");
    const targets: readonly Target[] = isDelivery ? [...jobServices, "webhooks"] : jobServices;
    for (const target of targets) {
      const startedAt = Date.now();
      const found = await injectFault(service, name, target).catch((error) => [String(error)]);
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(
        `${name}, ${target} killed: ${found.length === 0 ? "recovered" : "FAILED"} (${seconds} s)\n`,
      );
      for (const one of found) process.stdout.write(`  ${one}\n`);
      failures += found.length > 0 ? 1 : 0;
    }
  }
} finally {
  if (failures > 0) process.stdout.write(service.stack.output());
  const code = await service.stop();
  if (code !== 0) failures++;
  process.stdout.write(`${failures} failures; the service exited with ${code}\n`);
}
process.exit(failures === 0 ? 0 : 1);
