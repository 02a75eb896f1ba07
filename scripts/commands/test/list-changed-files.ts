import { execFileSync } from "node:child_process";
import { projectFolder } from "#lib/setup/node24.mjs";
import { StartError } from "#lib/supervisor/start/start-error.ts";

/**
 * The files that differ from `ref`, relative to the project folder: committed since the common ancestor,
 * uncommitted and untracked ones. Deleted files are included. Throws `StartError` without git or for an
 * unknown `ref`.
 */
export function listChangedFiles(ref: string): string[] {
  const lists = [
    git("diff", "--name-only", "--relative", "--end-of-options", `${ref}...HEAD`),
    git("diff", "--name-only", "--relative", "HEAD"),
    git("ls-files", "--others", "--exclude-standard"),
  ];
  return [...new Set(lists.flat())].sort();
}

function git(...args: string[]): string[] {
  try {
    const options = { cwd: projectFolder, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", args, options).split("\n").filter(Boolean);
  } catch (error) {
    const line = error instanceof Error ? error.message.split("\n")[1] : undefined;
    throw new StartError(`--changed: must be a revision of this git repository (${line ?? error})`);
  }
}
