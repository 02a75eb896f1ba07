import { execFile } from "node:child_process";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { projectFolder } from "#lib/setup/node24.mjs";

/** The system's Python, which has the packages of `packageTools`. Others may come first in `PATH`. */
export const python = process.platform === "linux" ? "/usr/bin/python3" : "python3";

/** Builds the Python package; returns the path of its wheel in `target`. */
export async function buildWheel(target: string): Promise<string> {
  const args = ["-m", "hatchling", "build", "-t", "wheel", "-d", target];
  const { stdout } = await promisify(execFile)(python, args, {
    cwd: join(projectFolder, "packages/python"),
    // So that equal sources make equal wheels.
    env: { ...process.env, SOURCE_DATE_EPOCH: "1767225600" },
  });
  return join(target, basename(stdout.trim().split("\n").at(-1) ?? ""));
}
