import { buildIfChanged } from "#lib/supervisor/build.ts";
import { StartError } from "#lib/supervisor/start-error.ts";
import { runProgram } from "./program.ts";

/** `npm run screenshots -- <folder> [word …]`: a picture of every page, or of those with a word in their names. */
export async function takeScreenshots(args: readonly string[]): Promise<void> {
  if (args.length === 0) throw new StartError("Usage: npm run screenshots -- <folder> [word …]");
  await buildIfChanged();
  process.exit(await runProgram(["tests/screenshots/take.ts", ...args]));
}
