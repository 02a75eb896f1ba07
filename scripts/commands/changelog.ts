import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";
import { runProgram } from "./run-program.ts";

/** Where git-cliff and its settings are. */
const program = join(projectFolder, "node_modules/git-cliff/lib/cli/cli.js");
const settings = join(projectFolder, "cliff.toml");

/**
 * `npm run changelog`: writes CHANGELOG.md from the commits. Those since the last version tag belong to the
 * version of package.json, or are "Unreleased" if that version has its tag.
 *
 * @param folder the repository's; a test passes another one
 */
export async function writeChangelog(folder: string = projectFolder): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const tag = `v${version}`;
  const tags = execFileSync("git", ["tag", "--list", tag], { cwd: folder, encoding: "utf8" });
  const unreleased = tags.trim() === "" ? ["--tag", tag] : [];
  const output = join(folder, "CHANGELOG.md");
  const args = ["--config", settings, "--repository", folder, "--output", output, ...unreleased];
  // Without a warning for each commit whose subject names no type.
  const code = await runProgram([program, ...args], { RUST_LOG: "error" });
  if (code !== 0) throw new Error(`git-cliff ended with exit code ${code}`);
}
