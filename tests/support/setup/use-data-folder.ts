import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { findCommands, findRemainingCommands } from "../../hostile/engine-processes.ts";

/** A data folder for each test file. It is set before any module reads the environment. */
const folder = mkdtempSync(join(tmpdir(), "mediamill-data-"));
process.env.DATA_DIR = folder;

/**
 * Engines that a test file has started have its data folder in their arguments. None may remain.
 */
afterAll(async () => {
  if (findCommands(folder).length > 0) {
    const { closeEngines } = await import("#lib/engines/index.ts");
    await closeEngines();
    expect(await findRemainingCommands(folder)).toEqual([]);
  }
  const { closeSandbox } = await import("#lib/engines/sandbox/current-sandbox.ts");
  await closeSandbox();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});
