import { tmpdir } from "node:os";
import { reportSandbox } from "#lib/engines/sandbox/level.ts";
import { startEngine } from "#lib/engines/sandbox/process.ts";
import { describeSandbox } from "#lib/engines/sandbox/report.ts";

/** Finds out its sandbox, prints it, starts an engine that stays and waits; with `end` it ends then. */
const report = await reportSandbox();
process.stdout.write(`sandbox ${report.sandbox}\n${describeSandbox(report).join("\n")}\n`);
const running = await startEngine({ command: "sleep", args: ["60"], folder: tmpdir() });
running.child.on("spawn", () => {
  process.stdout.write("engine started\n");
  if (process.argv[2] === "end") process.exit(0);
});
