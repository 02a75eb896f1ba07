import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { projectFolder } from "#lib/setup/node24.mjs";
import { watchParent } from "#lib/setup/watch-parent.mjs";

/** The time from the forwarded signal until the program is killed. */
const gracePeriodMs = 35_000;

/**
 * Runs one of the project's programs in this terminal and resolves with its exit code. Signals are
 * forwarded to the program. It is stopped when the parent of this process ends.
 *
 * @param args the arguments of `node`
 * @param output a file descriptor that gets what the program writes, in place of the terminal
 * @param onErrorOutput gets what the program writes as errors; the terminal gets it, too
 */
export async function runProgram(
  args: readonly string[],
  variables: Partial<NodeJS.ProcessEnv> = {},
  output: number | "inherit" = "inherit",
  onErrorOutput?: (text: string) => void,
): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    env: { ...process.env, ...variables },
    stdio: ["inherit", output, onErrorOutput ? "pipe" : output, "ipc"],
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    process.stderr.write(text);
    onErrorOutput?.(text);
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    setTimeout(() => child.kill("SIGKILL"), gracePeriodMs).unref();
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, end);
  const stopWatching = watchParent(() => end("SIGTERM"));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once("error", reject);
  child.once("exit", async (code, signal) => {
    // The pipe may still have its last words, and remains open while any process of it does.
    if (onErrorOutput) await Promise.race([once(child, "close"), wait(500)]);
    resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]);
  });
  return promise.finally(() => {
    for (const signal of signals) process.off(signal, end);
    stopWatching();
  });
}
