import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectFolder } from "../setup/node24.mjs";
import { buildWheel } from "./python-wheel.ts";

const execute = promisify(execFile);

/** The folders of `packages` that are published to npm. */
const published = ["sdk"];

/** `npm run packages`: builds the packages and writes a tarball or a wheel of each to `packages/dist`. */
export async function buildPackages(): Promise<void> {
  const target = join(projectFolder, "packages/dist");
  await mkdir(target, { recursive: true });
  for (const name of published) {
    process.stdout.write(`${await buildPackage(name, target)}\n`);
  }
  process.stdout.write(`${await buildWheel(target)}\n`);
}

/** Builds one package; returns the path of its tarball in `target`. */
export async function buildPackage(name: string, target: string): Promise<string> {
  const folder = join(projectFolder, "packages", name);
  await rm(join(folder, "dist"), { recursive: true, force: true });
  await execute(join(projectFolder, "node_modules/.bin/tsc"), ["-p", folder]);
  const args = ["pack", "--json", "--pack-destination", target];
  const { stdout } = await execute("npm", args, { cwd: folder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(target, filename);
}
