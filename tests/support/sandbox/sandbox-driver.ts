import { tmpdir } from "node:os";
import { reportSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { describeSandbox } from "#lib/engines/sandbox/describe-sandbox.ts";
import { startEngine } from "#lib/engines/sandbox/run-engine.ts";

/**
 * Prints the sandbox report and starts a warm engine. Then it waits, or exits if called with
 * `exit`.
 */
const report = await reportSandbox();
process.stdout.write(`sandbox ${report.sandbox}\n${describeSandbox(report).join("\n")}\n`);
const running = await startEngine({ command: "sleep", args: ["60"], folder: tmpdir() });
process.stdout.write(`engine started, pid ${running.child.pid}\n`);
if (process.argv[2] === "exit") process.exit(0);
