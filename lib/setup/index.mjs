import { join } from "node:path";
import { writeOrExit } from "./catalogue.mjs";
import { runQuietly, SetupError, stopCommands } from "./command.mjs";
import { compiler, engines, packageTools, soakTools, testTools } from "./engine-table.mjs";
import { enginesAreInstalled, planEngines, rememberEngines } from "./engines.mjs";
import { cacheFonts, fontsAreCached } from "./fonts.mjs";
import { waitForLock } from "./lock.mjs";
import { compileNative, nativeIsCompiled } from "./native.mjs";
import { isModern, node24, projectFolder } from "./node24.mjs";
import { installPackages, packagesAreInstalled } from "./packages.mjs";
import { buildHint, buildTitle, printLine, showStep } from "./progress.mjs";
import { repairPackages } from "./repairs.mjs";
import { checkPort, checkSettings } from "./settings.mjs";
import { installTestServers, testServersAreInstalled } from "./test-servers.mjs";
import { watchParent } from "./watch-parent.mjs";

/**
 * What a command needs besides packages.
 *
 * @typedef {{ engines: boolean, testTools?: boolean, packageTools?: boolean, webApp?: string, settings?: string, soak?: string[] }} Wanted
 *   `engines`: what operations use; `testTools`: what all tests use; `packageTools`: what only the
 *   tests of the packages use; `webApp`: the path of the program that builds the web app, if the command needs
 *   it. It runs while engines and servers of the tests are installed; later the command itself checks that the
 *   build is current; `settings`: the path of the program that checks the settings of a start, before anything is
 *   installed or, if it needs the packages, as soon as these are; `soak`: programs of `npm run soak` that use tools of their own
 */

/**
 * Installs what the project's code needs: packages, engines and tools. Prints nothing if everything
 * is installed. If the installation is not possible, prints one line and ends the process.
 *
 * @param {Wanted} wanted
 * @param {number} [stoppedExitCode] the exit code when a signal stops the set-up
 */
export async function setUp(wanted, stoppedExitCode = 0) {
  writeOrExit();
  repairPackages();
  if (isSetUp(wanted)) return;
  const stopWatching = stopCommandsOnExit(stoppedExitCode);
  try {
    await installAlone(wanted);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    printLine(error.message);
    process.exit(1);
  } finally {
    stopWatching();
  }
}

/**
 * Waits for other processes that install, and installs what they have not.
 *
 * @param {Wanted} wanted
 */
async function installAlone(wanted) {
  const release = await waitForLock(join(projectFolder, "package-lock.json"), {
    create: false,
    onWait: () => printLine("Another process is installing packages here; waiting for it …"),
  });
  try {
    if (!isSetUp(wanted)) await install(wanted);
  } finally {
    release();
  }
}

/** @param {Wanted} wanted */
function isSetUp(wanted) {
  if (wanted.engines && !nativeIsCompiled()) return false;
  if (wanted.testTools && !testServersAreInstalled()) return false;
  if (!packagesAreInstalled() || !enginesAreInstalled(tableOf(wanted))) return false;
  return !wanted.engines || fontsAreCached();
}

/** @param {Wanted} wanted */
function tableOf(wanted) {
  return [
    ...(wanted.engines ? [...engines, ...compiler] : []),
    ...(wanted.testTools ? testTools : []),
    ...(wanted.packageTools ? packageTools : []),
    ...(wanted.soak ?? []).flatMap((name) => soakTools[name] ?? []),
  ];
}

/** @param {Wanted} wanted */
async function install(wanted) {
  await checkEarly(wanted);
  const table = tableOf(wanted);
  const installEngines = enginesAreInstalled(table) ? undefined : planEngines(table);
  const packages = packagesAreInstalled() ? Promise.resolve() : installAndCheck(wanted);
  const installed = installEngines?.();
  const needsServers = wanted.testTools && !testServersAreInstalled();
  // In node_modules, and with a tool of the table.
  const servers = needsServers
    ? Promise.all([installed, packages]).then(installTestServers)
    : undefined;
  const { webApp } = wanted;
  const build =
    webApp && (installEngines || needsServers)
      ? packages.then(() => buildWebApp(webApp))
      : undefined;
  const steps = [installed, packages, servers, build];
  const failed = (await Promise.allSettled(steps)).filter((step) => step.status === "rejected");
  if (failed[0]) throw failed[0].reason;
  if (wanted.engines && !nativeIsCompiled()) await compileNative();
  if (wanted.engines && !fontsAreCached()) await cacheFonts();
  if (table.length > 0) rememberEngines(table);
}

/**
 * Throws `SetupError` if the settings are wrong, as far as that can be known before the packages are installed.
 *
 * @param {Wanted} wanted
 */
async function checkEarly({ settings }) {
  if (!settings) return;
  if (packagesAreInstalled()) checkSettings(settings);
  else await checkPort();
}

/**
 * Installs the packages, and checks the settings with them. Wrong ones end the process, and what else is being
 * installed.
 *
 * @param {Wanted} wanted
 */
async function installAndCheck({ settings }) {
  await installPackages();
  if (!settings) return;
  try {
    checkSettings(settings);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    stopCommands();
    printLine(error.message);
    process.exit(1);
  }
}

/**
 * Builds the web app in a process of its own, because this one may be of an older Node.js.
 *
 * @param {string} program
 */
function buildWebApp(program) {
  const node = isModern() ? process.execPath : node24;
  return showStep(
    buildTitle,
    (onLine) => runQuietly(node, [program], { cwd: projectFolder, onLine }),
    buildHint,
  );
}

/**
 * Stops the installers when a signal stops the set-up, or when its npm process has ended.
 *
 * @param {number} exitCode
 */
function stopCommandsOnExit(exitCode) {
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
