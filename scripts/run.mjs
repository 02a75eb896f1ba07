import { fileURLToPath } from "node:url";
import { setUp } from "./setup/index.mjs";
import { continueOnNode24, isModern, keepCompiledCode } from "./setup/node24.mjs";

/** Every npm script except `start` and `dev`. Runs on Node.js 20 until the packages are installed. */

/** The commands, and whether they need the engines. */
const commands = {
  web: false,
  runner: true,
  admin: false,
  test: true,
  verify: true,
  bench: true,
  soak: true,
  samples: true,
  packages: false,
  catalogue: false,
  screenshots: true,
};

const [command = ""] = process.argv.slice(2);
if (!Object.hasOwn(commands, command)) {
  process.stderr.write(`Commands: ${Object.keys(commands).join(", ")}\n`);
  process.exit(1);
}
const stoppedBySignal = 130;
const isWebhookRunner = command === "runner" && process.argv[3] === "webhooks";
const tools = command === "test" || command === "packages";
const engines = commands[/** @type {keyof typeof commands} */ (command)] && !isWebhookRunner;
await setUp({ engines, tools }, stoppedBySignal);
if (isModern()) {
  keepCompiledCode();
  const { runCommand } = await import("./commands.ts");
  await runCommand(command, process.argv.slice(3));
} else {
  continueOnNode24(fileURLToPath(import.meta.url));
}
