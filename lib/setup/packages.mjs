import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findProgram, runQuietly, SetupError } from "./command.mjs";
import { isModern, node24, projectFolder } from "./node24.mjs";
import { showStep } from "./progress.mjs";
import { replacePackages } from "./project-lock.mjs";
import { requireWritableProject } from "./writable.mjs";

const lockFile = join(projectFolder, "package-lock.json");
const stampFile = join(projectFolder, "node_modules", ".mediamill-packages");

/** Whether node_modules contains the packages of the lock file, for this machine. */
export function packagesAreInstalled() {
  if (!isModern() && !existsSync(node24)) return false;
  return readText(stampFile) === stamp() || installedByHand();
}

/** Installs the packages of the lock file. Throws `SetupError`, also if a running service uses the installed ones. */
export async function installPackages() {
  const npm = findProgram("npm");
  if (!npm) throw new SetupError("Missing: npm. Install Node.js 20 or newer, with npm.");
  requireWritableProject();
  await replacePackages(() => runNpm(npm));
}

/** @param {string} npm */
async function runNpm(npm) {
  await showStep(
    "Installing packages",
    (onLine) =>
      runQuietly(
        npm,
        [
          "ci",
          "--include=dev",
          "--ignore-scripts=false",
          "--no-audit",
          "--no-fund",
          "--loglevel=error",
        ],
        {
          cwd: projectFolder,
          env: withoutPackages(),
          onLine,
          // After SIGTERM, npm first removes what it has installed. The next start would install at the same time.
          stopSignal: "SIGKILL",
        },
      ),
    "usually 1 to 2 minutes",
  );
  if (!isModern() && !existsSync(node24)) {
    throw new SetupError(
      "Missing: Node.js 24. Allow the install script of the npm package node, then start again.",
    );
  }
  writeFileSync(stampFile, stamp());
}

/** The environment for npm, which must not run on the Node.js in node_modules that it replaces. */
function withoutPackages() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const path = folders.filter((folder) => !folder.includes("node_modules")).join(delimiter);
  return { ...process.env, PATH: path, NODE_ENV: "" };
}

function stamp() {
  const hash = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  return `${hash} ${process.platform} ${process.arch}\n`;
}

/**
 * Whether someone ran npm in this folder. Compares npm's own record of the installation to the lock
 * file.
 */
function installedByHand() {
  const record = readText(join(projectFolder, "node_modules", ".package-lock.json"));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const wanted = JSON.parse(readFileSync(lockFile, "utf8")).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    if (entry.optional && !suitsThisMachine(entry)) return true;
    return installed[path]?.version === entry.version && existsSync(join(projectFolder, path));
  });
}

/**
 * An optional package without a platform is a fallback for another package, and npm may omit it.
 *
 * @param {{ os?: string[], cpu?: string[], libc?: string[] }} entry
 */
function suitsThisMachine({ os, cpu, libc }) {
  if (!os || !cpu || libc?.includes("musl")) return false;
  return os.includes(process.platform) && cpu.includes(process.arch);
}

/** @param {string} path */
function readText(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
