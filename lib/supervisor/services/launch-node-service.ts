import { type ChildProcess, spawn } from "node:child_process";
import { projectFolder } from "#lib/setup/node24.mjs";
import type { LogCollector } from "../logs/log-collector.ts";
import type { LaunchedService } from "./supervised-service.ts";

/** The IPC message from a service to the supervisor when it serves. */
export interface ReadyMessage {
  readonly type: "ready";
}

/**
 * Starts one of the project's programs as a service. It reports by IPC when it is ready, and then answers
 * pings; see `runAsService`.
 */
export function launchNodeService(
  name: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  log: LogCollector,
): LaunchedService {
  // A separate process group: Ctrl-C only reaches the supervisor, which stops the services in order.
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    detached: true,
    env: { ...variables, MEDIAMILL_SERVICE: name },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  if (child.stdout) log.attach(child.stdout, name, "info");
  if (child.stderr) log.attach(child.stderr, name, "warn");
  // A debugger may stop a service of the development server for any time.
  const answersPings = variables.NODE_ENV !== "development";
  return { child, ready: readyMessage(child), answersPings };
}

function readyMessage(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.on("message", (message: Partial<ReadyMessage>) => {
    if (message.type === "ready") resolve();
  });
  return promise;
}
