import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram, runQuietly, SetupError, succeeds } from "./command.mjs";
import { packageTools, soakTools, testTools } from "./engine-table.mjs";
import { projectFolder } from "./node24.mjs";
import { printLine, showStep } from "./progress.mjs";

/** @import { Engine, Probe } from "./engine-table.mjs" */

/** @param {Engine[]} table */
const stampFile = (table) =>
  join(projectFolder, "node_modules", ".cache", "mediamill", `engines-${tableHash(table)}`);

/**
 * Runs at each start, so it only checks that the files found last time still exist.
 *
 * @param {Engine[]} table
 */
export function enginesAreInstalled(table) {
  if (table.length === 0) return true;
  const stamp = stampFile(table);
  if (!existsSync(stamp)) return false;
  return readFileSync(stamp, "utf8")
    .trimEnd()
    .split("\n")
    .every((path) => existsSync(path));
}

/**
 * A function that installs the missing engines; undefined if none is missing. Throws `SetupError` at
 * once if this process cannot install packages.
 *
 * @param {Engine[]} table
 * @returns {(() => Promise<void>) | undefined}
 */
export function planEngines(table) {
  const missing = findMissing(table);
  if (missing.length === 0) return undefined;
  const installation = planInstallation(missing);
  if (!installation.possible) {
    if (missing.every(({ optional }) => optional)) return undefined;
    throw missingError(missing);
  }
  return async () => {
    await showStep(titleOf(missing), installation.run).catch((error) => {
      printLine(error.message);
    });
    const stillMissing = findMissing(table).filter(({ optional }) => !optional);
    if (stillMissing.length > 0) throw missingError(stillMissing);
  };
}

/** @param {Engine[]} missing */
function titleOf(missing) {
  if (missing.every((one) => Object.values(soakTools).flat().includes(one)))
    return "Installing tools for the long run";
  if (missing.every((one) => packageTools.includes(one)))
    return "Installing tools for the tests of the packages";
  if (missing.every((one) => packageTools.includes(one) || testTools.includes(one)))
    return "Installing tools for the tests";
  return "Installing engines";
}

/**
 * Records what is installed. If the record cannot be written, the next start detects it again.
 *
 * @param {Engine[]} table
 */
export function rememberEngines(table) {
  const found = table.flatMap((engine) => findEngine(engine) ?? []);
  try {
    const stamp = stampFile(table);
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, [...found, ""].join("\n"));
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    // mkdir says ENOENT for a folder whose parent is missing too on a read-only file system.
    if (code !== "EACCES" && code !== "EROFS" && code !== "ENOENT") throw error;
  }
}

/**
 * How to install `missing` on this machine; `hint` is the command for the user.
 *
 * @param {Engine[]} missing
 * @returns {{ possible: boolean, hint: string, run: (onLine: (line: string) => void) => Promise<void> }}
 */
function planInstallation(missing) {
  if (process.platform === "darwin") {
    const brew = findProgram("brew");
    const names = packageNames(missing, "brew");
    return {
      possible: brew !== undefined,
      hint: `brew install ${names.join(" ")}`,
      run: (onLine) => runQuietly(brew ?? "brew", ["install", ...names], { onLine }),
    };
  }
  const names = packageNames(missing, "debian");
  const root = process.getuid?.() === 0;
  const possible =
    findProgram("apt-get") !== undefined && (root || succeeds("sudo", ["-n", "true"]));
  return {
    possible,
    hint: aptCommand(names, root),
    run: (onLine) => aptInstall(names, root ? [] : ["sudo", "-n"], onLine),
  };
}

/**
 * A command to paste into a terminal. It also works on a machine without package lists.
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
 * @param {(line: string) => void} onLine
 */
async function aptInstall(names, prefix, onLine) {
  /** @param {string[]} words */
  const run = (...words) => {
    const [command, ...args] = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", ...words];
    return runQuietly(command ?? "env", args, { onLine });
  };
  // Fails if one package source is unreachable, although the others may have the packages.
  await run("apt-get", "update", "-qq").catch(() => {});
  // An interrupted installation leaves packages unconfigured, and apt-get then refuses to install.
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

/** @param {Engine[]} table */
function findMissing(table) {
  return table.filter((engine) => !findEngine(engine));
}

/**
 * @param {Engine[]} missing
 * @param {"debian" | "brew"} manager
 */
function packageNames(missing, manager) {
  return [...new Set(missing.flatMap((engine) => engine[manager]))];
}

/**
 * The files that prove that an engine is installed; undefined if any is missing.
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

/** @param {Engine[]} table */
function tableHash(table) {
  return createHash("sha256").update(JSON.stringify(table)).digest("hex").slice(0, 16);
}
