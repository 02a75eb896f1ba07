import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildPackage } from "#scripts/commands/clients/packages.ts";

/** Builds a package and unpacks its tarball into `folder/node_modules`. Returns the package's folder. */
export async function installPackage(name: string, as: string, folder: string): Promise<string> {
  const tarball = await buildPackage(name, folder);
  const installed = join(folder, "node_modules", as);
  mkdirSync(dirname(installed), { recursive: true });
  execFileSync("tar", ["xzf", tarball, "-C", folder]);
  renameSync(join(folder, "package"), installed);
  return installed;
}
