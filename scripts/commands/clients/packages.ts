import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { projectFolder } from "#lib/setup/node24.mjs";
import { buildWheel } from "./python-wheel.ts";
import { writeClients } from "./write-clients.ts";

const execute = promisify(execFile);

/** The folders of `packages` that are published to npm. */
const published = ["sdk", "cli", "n8n"];

/** `npm run packages`: builds the packages and writes a tarball or a wheel of each to `packages/dist`. */
export async function buildPackages(): Promise<void> {
  await writeClients();
  const target = join(projectFolder, "packages/dist");
  await mkdir(target, { recursive: true });
  const packages = published.map((name) => buildPackage(name, target));
  for (const path of await Promise.all([...packages, buildWheel(target)])) {
    process.stdout.write(`${path}\n`);
  }
}

/**
 * Builds one package; returns the path of its tarball in `target`. It is built in a copy of its folder, so
 * that several processes can build it at once.
 */
export async function buildPackage(name: string, target: string): Promise<string> {
  const source = join(projectFolder, "packages", name);
  const folder = await mkdtemp(join(projectFolder, "packages", `.build-${name}-`));
  const isBuilt = (path: string) => ["dist", "node_modules"].includes(relative(source, path));
  try {
    await cp(source, folder, { recursive: true, filter: (path) => !isBuilt(path) });
    const script = join(folder, "build.mjs");
    if (existsSync(script)) await execute(process.execPath, [script]);
    else await execute(join(projectFolder, "node_modules/.bin/tsc"), ["-p", folder]);
    const icons = join(folder, "icons");
    if (existsSync(icons)) await cp(icons, join(folder, "dist/icons"), { recursive: true });
    const { stdout } = await execute("npm", ["pack", "--json"], { cwd: folder });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const path = join(target, filename);
    const copied = `${path}.${process.pid}`;
    await copyFile(join(folder, filename), copied);
    // In one step, because a service may be sending the file that is there.
    await rename(copied, path);
    return path;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
