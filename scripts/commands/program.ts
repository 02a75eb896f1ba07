import { spawn } from "node:child_process";
import { constants } from "node:os";
import { projectFolder } from "../setup/node24.mjs";
import { watchParent } from "../setup/parent.mjs";

/** From the signal that was passed on until the program is killed. */
const graceMs = 35_000;

/**
 * Runs one of the project's programs in this terminal and resolves with its exit code. Signals are
 * passed on to it, and it ends when this process loses the one that started it.
 *
 * @param args words after `node`
 */
export async function runProgram(
  args: readonly string[],
  variables: Partial<NodeJS.ProcessEnv> = {},
): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    env: { ...process.env, ...variables },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    setTimeout(() => child.kill("SIGKILL"), graceMs).unref();
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, end);
  const stopWatching = watchParent(() => end("SIGTERM"));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once("error", reject);
  child.once("exit", (code, signal) =>
    resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]),
  );
  return promise.finally(() => {
    for (const signal of signals) process.off(signal, end);
    stopWatching();
  });
}
