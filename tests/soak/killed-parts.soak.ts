import { moments } from "#tests/faults/fault-points.ts";
import { strike } from "#tests/faults/inject-fault.ts";
import { FaultService } from "#tests/faults/service.ts";
import type { Victim } from "#tests/faults/targets.ts";

/**
 * Every part is killed at every moment of a job; after each kill all accepted jobs must end, whole,
 * counted once and told to their receivers, with nothing left behind. Words in `MOMENTS` choose some.
 */

const parts: readonly Victim[] = ["media", "web", "postgres"];
const chosen = (process.env.MOMENTS ?? "").split(",").filter(Boolean);
const service = await FaultService.start();
let failures = 0;
try {
  for (const { name } of moments) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const isWebhooks = name.endsWith("-attempt");
    for (const part of isWebhooks ? ([...parts, "webhooks"] as const) : parts) {
      const startedAt = Date.now();
      const found = await strike(service, name, part).catch((error) => [String(error)]);
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(
        `${name}, ${part} killed: ${found.length === 0 ? "all well" : "BROKEN"} (${seconds} s)\n`,
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
