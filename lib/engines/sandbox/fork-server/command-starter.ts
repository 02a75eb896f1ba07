import { join } from "node:path";
import { encodeRequest, type ForkRequest } from "./fork-request.ts";
import { ForkServer } from "./fork-server.ts";
import type { ServerProgram } from "./server-program.ts";

/** Starts commands. */
const commandStarter: ServerProgram<ForkRequest> = {
  command: "perl",
  args: (socket) => [join(import.meta.dirname, "fork-server.pl"), socket],
  encode: encodeRequest,
  reportsReady: false,
};

type CommandServer = ForkServer<ForkRequest>;

let current: Promise<CommandServer> | undefined;

/** The fork server of this process, which is started when it is first needed. */
export function forkServer(): Promise<CommandServer> {
  if (current) return current;
  const launched: Promise<CommandServer> = ForkServer.launch(commandStarter, () => {
    if (current === launched) current = undefined;
  });
  current = launched;
  return launched;
}

/** Ends the fork server and all processes that it has started and that still run. */
export async function closeForkServer(): Promise<void> {
  const closing = await current?.catch(() => undefined);
  current = undefined;
  await closing?.close();
}
