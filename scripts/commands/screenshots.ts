import { StartError } from "#lib/supervisor/start/start-error.ts";
import { buildService } from "./build-service.ts";
import { runProgram } from "./run-program.ts";

/** `npm run screenshots -- <folder> [word …]`: takes screenshots of all pages, or of those whose names contain a word. */
export async function takeScreenshots(args: readonly string[]): Promise<void> {
  if (args.length === 0) throw new StartError("Usage: npm run screenshots -- <folder> [word …]");
  await buildService();
  process.exit(await runProgram(["tests/screenshots/take.ts", ...args]));
}
