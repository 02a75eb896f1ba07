import { log } from "#lib/log.ts";
import { listHiddenFiles } from "../bubblewrap/arguments.ts";
import { ForkServer } from "../fork-server/fork-server.ts";
import type { ServerProgram } from "../fork-server/server-program.ts";
import { findCompiled } from "./compiled.ts";
import { encodeSandboxRequest, type SandboxRequest } from "./sandbox-request.ts";

/** The process that makes sandboxes of templates, and starts a command in each. */
export type SandboxServer = ForkServer<SandboxRequest>;

/** The longest working folder and command that lists of processes show of a sandbox. */
const shownLength = 1000;

let current: Promise<SandboxServer | undefined> | undefined;

/** The sandbox server of this process, which is started when it is first needed; undefined if it cannot be. */
export function sandboxServer(): Promise<SandboxServer | undefined> {
  current ??= launch();
  return current;
}

/** Ends the sandbox server and all processes that it has started and that still run. */
export async function closeSandboxServer(): Promise<void> {
  const closing = await current;
  current = undefined;
  await closing?.close();
}

function launch(): Promise<SandboxServer | undefined> {
  const command = findCompiled("sandboxes.bin");
  if (command === undefined) return Promise.resolve(undefined);
  const program: ServerProgram<SandboxRequest> = {
    command,
    args: (socket) => [socket, " ".repeat(shownLength), ...listHiddenFiles()],
    encode: encodeSandboxRequest,
    reportsReady: true,
  };
  const launched: Promise<SandboxServer | undefined> = ForkServer.launch(program, () => {
    if (current === launched) current = undefined;
  }).catch((err: unknown) => {
    log.warn({ err }, "sandboxes are made one by one, which takes longer");
    // The next run would fail to launch it, too.
    current = Promise.resolve(undefined);
    return undefined;
  });
  return launched;
}
