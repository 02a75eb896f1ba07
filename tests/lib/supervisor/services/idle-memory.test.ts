import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { projectFolder } from "#lib/setup/node24.mjs";

/** Prints the megabytes of its heap with 100 MB of garbage, and when it is small again. */
const program = `
  import { returnIdleMemory } from "./lib/supervisor/services/idle-memory.ts";
  const size = () => process.memoryUsage().heapTotal / 2 ** 20;
  let garbage = Array.from({ length: 1e6 }, (_, index) => ({ index, text: String(index) }));
  const full = size();
  garbage = undefined;
  returnIdleMemory(100);
  setInterval(() => {
    if (size() > full / 2) return;
    process.stdout.write(JSON.stringify([full, size()]));
    process.exit();
  }, 100);
`;

it("an idle process gives the memory of its garbage back", async () => {
  const args = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: projectFolder });
  const [full, rest] = JSON.parse(stdout) as [number, number];
  expect(full).toBeGreaterThan(60);
  expect(rest).toBeLessThan(full / 2);
});
