import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRemainingCommands } from "../hostile/engine-processes.ts";
import { removeUnusedMedia } from "../samples/media-files.ts";

/**
 * The folder of all workers that test operations. Their engines stay warm from file to file, and have the
 * folder in their arguments. None may remain when all files are done.
 */
export default function setUp(): () => Promise<void> {
  removeUnusedMedia();
  const folder = mkdtempSync(join(tmpdir(), "mediamill-operations-"));
  process.env.TEST_OPERATIONS_FOLDER = folder;
  return async () => {
    const remaining = await findRemainingCommands(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    if (remaining.length > 0) throw new Error(`engines remain: ${remaining.join("\n")}`);
  };
}
