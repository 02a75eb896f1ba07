import { join } from "node:path";
import { projectFolder } from "../sandbox/bubblewrap/arguments.ts";

/**
 * The folder with compiled code of the workers, which they see. A worker in a sandbox cannot write it, because it has
 * read files of users, so it is written when the app is built. With it, a worker needs half the CPU time to start; if it
 * is missing, the code is compiled at each start.
 */
export function workerCompileCache(): string {
  return join(/* turbopackIgnore: true */ projectFolder(), ".next", "workers");
}
