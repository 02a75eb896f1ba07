import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sandboxUid } from "#lib/engines/sandbox/bubblewrap.ts";
import { workerCompileCache } from "#lib/engines/worker/compile-cache.ts";
import { runQuietly } from "#lib/setup/command.mjs";
import { projectFolder } from "#lib/setup/node24.mjs";

const program = join(projectFolder, "lib", "engines", "worker", "compile.ts");

/** Compiles the code of the workers. Rejects with `SetupError`. */
export async function compileWorkers(): Promise<void> {
  const folder = workerCompileCache();
  rmSync(folder, { recursive: true, force: true });
  const { PATH, NODE_ENV } = process.env;
  await runQuietly(process.execPath, [program], {
    cwd: projectFolder,
    env: { PATH, NODE_ENV, LOG_LEVEL: "silent", NODE_COMPILE_CACHE: folder },
  });
  // Node.js has a folder for each version, set of options and user. In the sandbox, the user is another one.
  for (const name of readdirSync(folder)) {
    const inSandbox = name.replace(/-\d+$/, `-${sandboxUid}`);
    if (inSandbox !== name) symlinkSync(name, join(folder, inSandbox));
  }
}
