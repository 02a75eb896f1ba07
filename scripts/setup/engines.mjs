import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram, runQuietly, SetupError, succeeds } from "./command.mjs";
import { engines } from "./engine-table.mjs";
import { projectFolder } from "./node24.mjs";
import { say, showStep } from "./progress.mjs";

/** @import { Engine, Probe } from "./engine-table.mjs" */

const stampFile = join(projectFolder, "node_modules", ".cache", "mediamill", "engines");

/** A start asks for this each time, so what was found last time is only looked at again. */
export function enginesAreInstalled() {
  if (!existsSync(stampFile)) return false;
  const [table, ...found] = readFileSync(stampFile, "utf8").trimEnd().split("\n");
  return table === tableHash() && found.every((path) => existsSync(path));
}

/**
 * What has to be done so that nothing is missing; undefined where nothing is. Throws `SetupError` at
 * once where this machine lets us install nothing.
 *
 * @returns {(() => Promise<void>) | undefined}
 */
export function planEngines() {
  const missing = findMissing();
  if (missing.length === 0) return undefined;
  const installation = planInstallation(missing);
  if (!installation.possible) throw missingError(missing);
  return async () => {
    await showStep("Installing engines", installation.run).catch((error) => {
      say(error.message);
    });
    const still = findMissing();
    if (still.length > 0) throw missingError(still);
  };
}

/** Remembers what is installed; where that cannot be written, the next start looks again. */
export function rememberEngines() {
  const found = engines.flatMap((engine) => findEngine(engine) ?? []);
  try {
    mkdirSync(dirname(stampFile), { recursive: true });
    writeFileSync(stampFile, [tableHash(), ...found, ""].join("\n"));
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "EACCES" && code !== "EROFS") throw error;
  }
}

/**
 * What an installation of `missing` takes on this machine.
 *
 * @param {Engine[]} missing
 * @returns {{ possible: boolean, hint: string, run: (tell: (line: string) => void) => Promise<void> }}
 */
function planInstallation(missing) {
  if (process.platform === "darwin") {
    const brew = findProgram("brew");
    const names = packageNames(missing, "brew");
    return {
      possible: brew !== undefined,
      hint: `brew install ${names.join(" ")}`,
      run: (tell) => runQuietly(brew ?? "brew", ["install", ...names], { tell }),
    };
  }
  const names = packageNames(missing, "debian");
  const root = process.getuid?.() === 0;
  const possible =
    findProgram("apt-get") !== undefined && (root || succeeds("sudo", ["-n", "true"]));
  return {
    possible,
    hint: aptCommand(names, root),
    run: (tell) => aptInstall(names, root ? [] : ["sudo", "-n"], tell),
  };
}

/**
 * What installs `names` when it is pasted into a terminal, on a machine that has never been asked for
 * packages, too.
 *
 * @param {string[]} names
 * @param {boolean} isRoot
 */
function aptCommand(names, isRoot) {
  const steps = ["apt-get update", `apt-get install -y --no-install-recommends ${names.join(" ")}`];
  if (!isRoot && !findProgram("sudo")) return `su -c '${steps.join(" && ")}'`;
  return steps.map((step) => (isRoot ? step : `sudo ${step}`)).join(" && ");
}

/**
 * @param {string[]} names
 * @param {string[]} prefix
 * @param {(line: string) => void} tell
 */
async function aptInstall(names, prefix, tell) {
  /** @param {string[]} words */
  const run = (...words) => {
    const [command, ...args] = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", ...words];
    return runQuietly(command ?? "env", args, { tell });
  };
  // One source that cannot be reached fails this, though the packages may come from the others.
  await run("apt-get", "update", "-qq").catch(() => {});
  // An installation that was cut off leaves packages half configured, and apt-get refuses to go on.
  await run("dpkg", "--configure", "-a");
  const known = names.filter((name) => succeeds("apt-cache", ["show", name]));
  await run(
    "apt-get",
    "install",
    "-y",
    "--no-install-recommends",
    "-o",
    "DPkg::Lock::Timeout=600",
    ...known,
  );
}

/** @param {Engine[]} missing */
function missingError(missing) {
  const names = [...new Set(missing.map((engine) => engine.name))].join(", ");
  return new SetupError(`Missing: ${names}. Install with: ${planInstallation(missing).hint}`);
}

function findMissing() {
  return engines.filter((engine) => !findEngine(engine));
}

/**
 * @param {Engine[]} missing
 * @param {"debian" | "brew"} manager
 */
function packageNames(missing, manager) {
  return [...new Set(missing.flatMap((engine) => engine[manager]))];
}

/**
 * The files that show that it is there; undefined where something is not.
 *
 * @param {Engine} engine
 */
function findEngine(engine) {
  const found = engine.probes.map(findProbe);
  return found.every((path) => path !== undefined) ? found : undefined;
}

/** @param {Probe} probe */
function findProbe(probe) {
  if ("file" in probe) return probe.file.find(existsSync);
  if ("program" in probe) {
    for (const name of probe.program) {
      const path = findProgram(name);
      if (path) return path;
    }
    return undefined;
  }
  const { stdout } = spawnSync("fc-list", ["--format=%{file}\n", probe.font], { encoding: "utf8" });
  return stdout?.split("\n")[0] || undefined;
}

function tableHash() {
  return createHash("sha256").update(JSON.stringify(engines)).digest("hex");
}
