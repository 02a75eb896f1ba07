import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { lastingProcesses, processesNaming } from "../hostile/engine-processes.ts";

/** A data folder for each test file, in the environment before any of our code is loaded. */
const folder = mkdtempSync(join(tmpdir(), "mediamill-data-"));
process.env.DATA_DIR = folder;

/** Every engine that a test file has started works under its data folder, and ends with it. */
afterAll(async () => {
  if (processesNaming(folder).length > 0) {
    const { closeEngines } = await import("#lib/engines/index.ts");
    await closeEngines();
    expect(await lastingProcesses(folder)).toEqual([]);
  }
  const { closeSandbox } = await import("#lib/engines/sandbox/level.ts");
  await closeSandbox();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
