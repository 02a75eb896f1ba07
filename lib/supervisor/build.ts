import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { waitForLock } from "#scripts/lock.mjs";
import { runQuietly, SetupError, stopCommands } from "#scripts/setup/command.mjs";
import { projectFolder } from "#scripts/setup/node24.mjs";
import { say, showStep } from "#scripts/setup/progress.mjs";
import { StartError } from "./start-error.ts";

/** What the web app is built from. */
const sources = [
  "app",
  "components",
  "lib",
  "inngest",
  "public",
  "next.config.ts",
  "proxy.ts",
  "postcss.config.mjs",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

const stampFile = join(projectFolder, ".next", "mediamill-sources");

/**
 * Builds the web app if its sources changed since the last build. Of several starts at once, one
 * builds and the others wait for it.
 */
export async function buildIfChanged(): Promise<void> {
  const wanted = hashSources();
  if (isBuilt(wanted)) return;
  const release = await waitForLock(join(projectFolder, "package.json"), {
    create: false,
    onWait: () => say("Another start is building; waiting for it …"),
  });
  try {
    if (!isBuilt(wanted)) await build(wanted);
  } finally {
    release();
  }
}

/** Ends a build that runs. */
export const stopBuild = stopCommands;

function isBuilt(hash: string): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash;
}

async function build(hash: string): Promise<void> {
  const next = join(projectFolder, "node_modules", "next", "dist", "bin", "next");
  rmSync(stampFile, { force: true });
  try {
    await showStep("Building", (tell) =>
      runQuietly(process.execPath, [next, "build"], {
        cwd: projectFolder,
        env: buildEnvironment(hash),
        tell,
      }),
    );
  } catch (error) {
    if (error instanceof SetupError) throw new StartError(error.message);
    throw error;
  }
  writeFileSync(stampFile, hash);
}

/** The same build for every instance: their own settings have no part in it. */
function buildEnvironment(hash: string): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR, CI, NODE_OPTIONS } = process.env;
  return {
    PATH,
    HOME,
    LANG,
    TMPDIR,
    CI,
    NODE_OPTIONS,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // Names server actions, and must be the same on every machine that serves these sources; no secret.
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: Buffer.from(hash, "hex").toString("base64"),
    MEDIAMILL_BUILD_ID: hash.slice(0, 20),
  };
}

function hashSources(): string {
  const hash = createHash("sha256");
  for (const source of sources) {
    for (const file of listFiles(join(projectFolder, source))) {
      hash
        .update(`${relative(projectFolder, file)}\0`)
        .update(readFileSync(file))
        .update("\0");
    }
  }
  return hash.digest("hex");
}

function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path).sort();
  return entries.flatMap((entry) => listFiles(join(path, entry)));
}
