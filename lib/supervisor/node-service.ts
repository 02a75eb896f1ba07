import { type ChildProcess, spawn } from "node:child_process";
import { projectFolder } from "#scripts/setup/node24.mjs";
import type { Log } from "./log.ts";
import type { LaunchedPart } from "./supervised-service.ts";

/** What a part tells its supervisor once it serves. */
export interface ReadyMessage {
  readonly type: "ready";
}

/** Starts one of the project's own programs as a part; it says by IPC when it is ready. */
export function launchNodePart(
  name: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  log: Log,
): LaunchedPart {
  // A group of its own: Ctrl-C reaches the supervisor alone, which stops the parts in order.
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    detached: true,
    env: { ...variables, MEDIAMILL_PART: name },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  if (child.stdout) log.attach(child.stdout, name, "info");
  if (child.stderr) log.attach(child.stderr, name, "warn");
  return { child, ready: readyMessage(child) };
}

function readyMessage(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.on("message", (message: Partial<ReadyMessage>) => {
    if (message.type === "ready") resolve();
  });
  return promise;
}
