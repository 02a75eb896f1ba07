import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Snippets } from "#components/code/snippets.ts";
import { python } from "#scripts/commands/clients/python-wheel.ts";

const packages = join(import.meta.dirname, "../../packages");

/** The languages whose snippets are run, with what runs them. */
const programs = {
  curl: { file: "request.sh", command: "sh" },
  typescript: { file: "request.mts", command: process.execPath },
  python: { file: "request.py", command: python },
  cli: { file: "request-cli.sh", command: "sh" },
} as const;

export type RunLanguage = keyof typeof programs;

/** The languages in which the code sends a request and prints what came of it. */
export const runLanguages = ["curl", "typescript", "python"] as const;

/** Makes the SDK and the CLI available to snippets in `folder`, from their sources. */
export async function installClients(folder: string): Promise<void> {
  const sdk = join(folder, "sdk");
  await mkdir(join(folder, "node_modules/@mediamill"), { recursive: true });
  await mkdir(sdk);
  const entry = JSON.stringify(join(packages, "sdk/src/index.ts"));
  await writeFile(join(sdk, "index.ts"), `export * from ${entry};\n`);
  const manifest = { name: "@mediamill/sdk", type: "module", exports: "./index.ts" };
  await writeFile(join(sdk, "package.json"), JSON.stringify(manifest));
  // Node strips types outside `node_modules` only; the link is resolved first.
  await symlink(sdk, join(folder, "node_modules/@mediamill/sdk"));
  const main = join(packages, "cli/src/main.ts");
  const command = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/mediamill"), command, { mode: 0o755 });
}

interface Place {
  readonly folder: string;
  readonly apiKey: string;
}

/** Runs a snippet in `folder`, which has its files, and returns what it prints. */
export async function runSnippet(
  language: RunLanguage,
  snippets: Snippets,
  place: Place,
): Promise<string> {
  const { file } = programs[language];
  await writeFile(join(place.folder, file), snippets[language] ?? "");
  return runFile(language, file, place);
}

/** What is printed after each of several snippets. */
const separator = "== end of a snippet ==";

/** The code that runs a file and prints the separator, in the language of the file. */
const runOne = {
  curl: (file: string) => `(. ./${file}) || exit\nprintf '${separator}'`,
  typescript: (file: string) => `await import("./${file}");\nprocess.stdout.write("${separator}");`,
  python: (file: string) =>
    `__import__("runpy").run_path("${file}", run_name="__main__")\nprint("${separator}", end="")`,
} as const;

/**
 * Runs snippets one after the other in one process, which starts for longer than it runs one. Returns what each of them
 * prints.
 */
export async function runSnippets(
  language: keyof typeof runOne,
  all: readonly Snippets[],
  place: Place,
): Promise<readonly string[]> {
  const { file } = programs[language];
  const files = all.map((_snippets, index) => `${index}-${file}`);
  for (const [index, name] of files.entries())
    await writeFile(join(place.folder, name), all[index]?.[language] ?? "");
  await writeFile(join(place.folder, file), files.map(runOne[language]).join("\n"));
  return (await runFile(language, file, place)).split(separator).slice(0, -1);
}

async function runFile(
  language: RunLanguage,
  file: string,
  { folder, apiKey }: Place,
): Promise<string> {
  const { command } = programs[language];
  const env = {
    ...process.env,
    MEDIAMILL_API_KEY: apiKey,
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
    PYTHONPATH: join(packages, "python/src"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const { stdout } = await promisify(execFile)(command, [file], { cwd: folder, env });
  return stdout;
}
