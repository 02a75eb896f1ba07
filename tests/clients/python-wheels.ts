import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectFolder } from "#lib/setup/node24.mjs";
import { python } from "#scripts/commands/clients/python-wheel.ts";

const execute = promisify(execFile);

/** Clients of others that have no package of the system, by their versions. */
const wheels = ["gotenberg-client==1.0.0", "imgproxy==1.0.0", "libthumbor==2.0.2"];

const folder = join(projectFolder, "node_modules", ".cache", "python-wheels", wheels.join("_"));

/**
 * Downloads the clients with pip, once, and returns the environment in which Python imports them: a wheel of
 * Python code needs no installation.
 */
export async function pythonWithWheels(): Promise<NodeJS.ProcessEnv> {
  if (!existsSync(folder)) await download();
  const names = await readdir(folder);
  const path = names.map((name) => join(folder, name)).join(":");
  return { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: "1" };
}

async function download(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "mediamill-wheels-"));
  const environment = join(scratch, "venv");
  const found = join(folder, "..", `${process.pid}`);
  await mkdir(found, { recursive: true });
  try {
    await execute(python, ["-m", "venv", environment]);
    const pip = join(environment, "bin", "pip");
    await execute(pip, ["download", "--no-deps", "--only-binary=:all:", "-d", found, ...wheels]);
    await rename(found, folder);
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(scratch, { recursive: true });
    await rm(found, { recursive: true, force: true });
  }
}
