import { chmodSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sandboxUid } from "#lib/engines/sandbox/bubblewrap/arguments.ts";
import { workerCompileCache } from "#lib/engines/worker/compile-cache.ts";
import { runQuietly } from "#lib/setup/command.mjs";
import { fastStart, projectFolder } from "#lib/setup/node24.mjs";
import { printLine } from "#lib/setup/progress.mjs";

const program = join(projectFolder, "lib", "engines", "worker", "compile.ts");

/** Compiles the code of the workers. If that fails, they start more slowly. */
export async function compileWorkers(): Promise<void> {
  const folder = workerCompileCache();
  rmSync(folder, { recursive: true, force: true });
  try {
    await writeTo(folder);
  } catch {
    rmSync(folder, { recursive: true, force: true });
    printLine("The code of the workers could not be compiled, so they start more slowly.");
  }
}

async function writeTo(folder: string): Promise<void> {
  const { PATH, NODE_ENV } = process.env;
  await runQuietly(process.execPath, [...fastStart, program], {
    cwd: projectFolder,
    env: { PATH, NODE_ENV, LOG_LEVEL: "silent", NODE_COMPILE_CACHE: folder },
  });
  // Node.js has a folder for each version, set of options and user. In the sandbox, the user is another one, and so
  // it may be in an image.
  for (const name of readdirSync(folder)) {
    for (const file of readdirSync(join(folder, name))) chmodSync(join(folder, name, file), 0o644);
    const inSandbox = name.replace(/-\d+$/, `-${sandboxUid}`);
    if (inSandbox !== name) symlinkSync(name, join(folder, inSandbox));
  }
}
