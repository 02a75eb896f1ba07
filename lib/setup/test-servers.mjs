import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, runQuietly, SetupError } from "./command.mjs";
import { projectFolder } from "./node24.mjs";
import { showStep } from "./progress.mjs";

/**
 * Servers of stores and clients of other services that only the tests use, as packages of Python and of npm. Each has
 * a folder of its own, so that what they need is not installed with the project, and only the files whose hashes are
 * recorded are installed.
 */

const sources = join(projectFolder, "tests/servers/storage");
const requirements = join(sources, "python/requirements.txt");
const packages = join(sources, "azurite");
const clients = join(projectFolder, "tests/clients/wheels.txt");

const folder = join(projectFolder, "node_modules/.cache/mediamill/test-servers");
const stampFile = join(folder, "installed");

/** The environment of the Python packages. */
export const pythonServers = join(folder, "python");

/** The folder with the clients in Python, as wheels. */
export const pythonClients = join(folder, "wheels");

/** The folder with the npm packages. */
export const npmServers = join(folder, "npm");

/** The system's Python: others may come first in `PATH`. */
const python = "/usr/bin/python3";

export function testServersAreInstalled() {
  if (process.platform !== "linux") return true;
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp();
}

/** Installs them. Needs what `testTools` install, and a folder node_modules. */
export async function installTestServers() {
  await showStep("Installing servers and clients for the tests", async (onLine) => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await Promise.all([installPython(onLine), installNpm(onLine)]);
    writeFileSync(stampFile, stamp());
  });
}

/** @param {(line: string) => void} onLine */
async function installPython(onLine) {
  await runQuietly(python, ["-m", "venv", pythonServers], { onLine });
  const options = ["--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:"];
  /** @param {string[]} args */
  const runPip = (...args) =>
    runQuietly(join(pythonServers, "bin/python"), ["-m", "pip", ...args, ...options], { onLine });
  await runPip("install", "--no-compile", "-r", requirements);
  await runPip("download", "--no-deps", "-d", pythonClients, "-r", clients);
}

/** @param {(line: string) => void} onLine */
async function installNpm(onLine) {
  const npm = findProgram("npm");
  if (!npm) throw new SetupError("Missing: npm. Install Node.js 20 or newer, with npm.");
  cpSync(packages, npmServers, { recursive: true });
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await runQuietly(npm, ["ci", ...options], { cwd: npmServers, onLine });
}

function stamp() {
  const hash = createHash("sha256");
  for (const file of [requirements, clients, join(packages, "package-lock.json")]) {
    hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}
