import { fileURLToPath } from "node:url";
import { soakTools } from "../lib/setup/engine-table.mjs";
import { setUp } from "../lib/setup/index.mjs";
import { continueOnNode24, isModern, keepCompiledCode } from "../lib/setup/node24.mjs";

/** Every npm script except `start` and `dev`. Runs on Node.js 20 until the packages are installed. */

/** The commands, and whether they need the engines. */
const commands = {
  web: false,
  runner: true,
  admin: false,
  test: true,
  verify: true,
  audit: false,
  bench: true,
  soak: true,
  samples: true,
  packages: false,
  catalogue: false,
  changelog: false,
  screenshots: true,
};

const [command = ""] = process.argv.slice(2);
if (!Object.hasOwn(commands, command)) {
  process.stderr.write(`Commands: ${Object.keys(commands).join(", ")}\n`);
  process.exit(1);
}
const stoppedBySignal = 130;
const isWebhookRunner = command === "runner" && process.argv[3] === "webhooks";
const needsNoEngine = isWebhookRunner || readsOnlyText(process.argv.slice(3));
const engines = commands[/** @type {keyof typeof commands} */ (command)] && !needsNoEngine;
const testTools = command === "test";
const packageTools = testTools && testsPackages(process.argv.slice(3));
const webApp = testTools && process.argv.length === 3 ? "scripts/build.ts" : undefined;
const soak = command === "soak" ? soakPrograms(process.argv.slice(3)) : [];
await setUp({ engines, testTools, packageTools, webApp, soak }, stoppedBySignal);
if (isModern()) {
  keepCompiledCode();
  const { runCommand } = await import("./commands.ts");
  await runCommand(command, process.argv.slice(3));
} else {
  continueOnNode24(fileURLToPath(import.meta.url));
}

/**
 * Whether the command is `npm run verify` with parts that run nothing of the project: then `npm test` installs the
 * engines, while it builds the web app.
 *
 * @param {string[]} parts
 */
function readsOnlyText(parts) {
  return command === "verify" && parts.length > 0 && !parts.includes("unit");
}

/**
 * Whether the arguments of `npm test` choose tests of the packages: by their folder, or all tests.
 *
 * @param {string[]} args
 */
function testsPackages(args) {
  const paths = args.filter((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-t");
  return (
    paths.length === 0 ||
    paths.some((path) => /^(?:tests\/?$|tests\/(?:api|packages)\b)/.test(path))
  );
}

/**
 * The programs of `npm run soak` with tools of their own that `filters` choose.
 *
 * @param {string[]} filters
 */
function soakPrograms(filters) {
  return Object.keys(soakTools).filter(
    (name) => filters.length === 0 || filters.some((filter) => `${name}.soak.ts`.includes(filter)),
  );
}
