import { join } from "node:path";
import { waitForLock } from "../lock.mjs";
import { SetupError, stopCommands } from "./command.mjs";
import { enginesAreInstalled, planEngines, rememberEngines } from "./engines.mjs";
import { projectFolder } from "./node24.mjs";
import { installPackages, packagesAreInstalled } from "./packages.mjs";
import { watchParent } from "./parent.mjs";
import { say } from "./progress.mjs";

/**
 * Brings the machine to where the project's code runs: packages, and engines if asked for. Says
 * nothing when nothing is to do. Ends the process with one clear line where it cannot.
 *
 * @param {{ engines: boolean }} wanted
 * @param {number} [stoppedExitCode] what a set-up that is stopped by a signal exits with
 */
export async function setUp(wanted, stoppedExitCode = 0) {
  if (isSetUp(wanted)) return;
  const stopWatching = endSetUpWithUs(stoppedExitCode);
  const release = await waitForLock(join(projectFolder, "package-lock.json"), {
    create: false,
    onWait: () => say("Another start is setting this folder up; waiting for it …"),
  });
  try {
    if (!isSetUp(wanted)) await install(wanted);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    process.exit(1);
  } finally {
    release();
    stopWatching();
  }
}

/** @param {{ engines: boolean }} wanted */
function isSetUp(wanted) {
  return packagesAreInstalled() && (!wanted.engines || enginesAreInstalled());
}

/** @param {{ engines: boolean }} wanted */
async function install(wanted) {
  const installEngines = wanted.engines && !enginesAreInstalled() ? planEngines() : undefined;
  const steps = [installEngines?.(), packagesAreInstalled() ? undefined : installPackages()];
  const failed = (await Promise.allSettled(steps)).filter((step) => step.status === "rejected");
  if (failed[0]) throw failed[0].reason;
  if (wanted.engines) rememberEngines();
}

/**
 * A set-up that is stopped, or whose npm is gone, leaves no installer running.
 *
 * @param {number} exitCode
 */
function endSetUpWithUs(exitCode) {
  const stop = () => {
    stopCommands();
    process.exit(exitCode);
  };
  const signals = /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"]);
  for (const signal of signals) process.on(signal, stop);
  const stopWatching = watchParent(stop);
  return () => {
    stopWatching();
    for (const signal of signals) process.off(signal, stop);
  };
}
