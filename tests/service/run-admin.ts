import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");

/** Runs `npm run --silent admin -- …args --json` with this data folder. */
export async function runAdmin(
  dataDir: string,
  ...args: string[]
): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, "scripts/run.mjs"), "admin", ...args, "--json"],
    { cwd: root, env: { ...process.env, NODE_ENV: "production", DATA_DIR: dataDir } },
  );
  return JSON.parse(stdout);
}
