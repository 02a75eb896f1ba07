import { expect, test } from "vitest";
import { isAlive, Program, waitUntil } from "#tests/support/processes.ts";

const module = import.meta.resolve("#lib/setup/command.mjs");

/** A set-up that runs a command which goes on after SIGTERM, as npm does. Resolves with the id of the command. */
async function startSetup(): Promise<{ setup: Program; command: number }> {
  const ignoresSigterm = `process.on("SIGTERM", () => {});
    process.stdout.write(process.pid + "\\n");
    setInterval(() => {}, 1000);`;
  const setup = new Program([
    "--input-type=module",
    "-e",
    `import { runQuietly, stopCommands } from ${JSON.stringify(module)};
     process.on("SIGINT", () => { stopCommands(); process.exit(); });
     const onLine = (line) => process.stdout.write("runs as " + line + ".");
     await runQuietly(process.execPath, ["-e", ${JSON.stringify(ignoresSigterm)}], { onLine, stopSignal: "SIGKILL" });`,
  ]);
  await setup.waitForOutput(".");
  return { setup, command: Number(/\d+/.exec(setup.stdout)?.[0]) };
}

test.each(["SIGINT", "SIGKILL"] as const)(
  "a command that would go on after SIGTERM ends with a set-up that gets %s",
  async (signal) => {
    const { setup, command } = await startSetup();
    expect(isAlive(command)).toBe(true);
    setup.child.kill(signal);
    await setup.exited;
    await waitUntil(() => !isAlive(command));
  },
);
