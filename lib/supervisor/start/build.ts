import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { writeOperationLists } from "#lib/setup/catalogue.mjs";
import { runQuietly, stopCommands } from "#lib/setup/command.mjs";
import { waitForLock } from "#lib/setup/lock.mjs";
import { projectFolder } from "#lib/setup/node24.mjs";
import { buildHint, buildTitle, printLine, showStep } from "#lib/setup/progress.mjs";
import { keepProject, replaceInProject } from "#lib/setup/project-lock.mjs";
import { requireWritableProject } from "#lib/setup/writable.mjs";
import { compactChunks } from "./compact-chunks.ts";
import { compileWorkers } from "./compile-workers.ts";
import { listFiles } from "./list-files.ts";
import { buildPackages, packagesAreBuilt } from "./packages-build.ts";

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
 * Builds the web app, and the packages that it gives out, if their sources changed since the last build. If
 * several processes start at once, one builds and the others wait for it. Until this process ends, no other one
 * replaces the build. Throws `SetupError`, also if it would have to be replaced while another process uses it.
 *
 * @param packagesProgram the program that builds the packages, relative to the project folder
 * @param show reports the progress of each build
 */
export async function buildIfChanged(
  packagesProgram: string,
  show: typeof showStep = showStep,
): Promise<void> {
  writeOperationLists();
  const wanted = hashSources();
  // Only if it is current, or several processes that start at once would keep each other from building.
  const releaseBuild = isBuilt(wanted) ? await keepProject() : undefined;
  // It may have been replaced just before.
  if (releaseBuild && isBuilt(wanted) && packagesAreBuilt(wanted)) return;
  releaseBuild?.();
  const release = await waitForLock(join(projectFolder, "package.json"), {
    create: false,
    onWait: () => printLine("Another process is building the web app; waiting for it …"),
  });
  const buildBoth = async () => {
    if (packagesAreBuilt(wanted) && isBuilt(wanted)) return;
    requireWritableProject();
    // First, because a host packs the files of the packages into a function.
    if (!packagesAreBuilt(wanted)) await buildPackages(packagesProgram, wanted, show);
    if (!isBuilt(wanted)) await build(wanted, show);
  };
  try {
    await (isBuilt(wanted) ? buildBoth() : replaceInProject("The sources have changed", buildBoth));
    await keepProject();
  } finally {
    release();
  }
}

/** Stops a running build. */
export const stopBuild = stopCommands;

function isBuilt(hash: string): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash;
}

async function build(hash: string, show: typeof showStep): Promise<void> {
  const next = join(projectFolder, "node_modules", "next", "dist", "bin", "next");
  rmSync(stampFile, { force: true });
  await show(
    buildTitle,
    (onProgress) =>
      runQuietly(process.execPath, [next, "build", "--experimental-next-config-strip-types"], {
        cwd: projectFolder,
        env: buildEnvironment(hash),
        onLine: onProgress,
      }),
    buildHint,
  );
  compactChunks(join(projectFolder, ".next", "server"));
  await compileWorkers();
  writeFileSync(stampFile, hash);
}

/** The build's environment. Contains no settings of an instance, so that all instances share a build. */
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
    // Next.js derives the ids of server actions from it: equal on every machine with these sources. At
    // run time `scripts/web.ts` sets a secret key.
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: Buffer.from(hash, "hex").toString("base64"),
    MEDIAMILL_BUILD_ID: hash.slice(0, 20),
  };
}

/** A hash of what the web app is built from. */
export function hashSources(): string {
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
