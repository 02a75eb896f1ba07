import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { createSocketFolder } from "../folder/socket-folder.ts";

const socketName = "streams.sock";

/**
 * Listens on a UNIX socket for the connections of processes. It does not keep this process alive. The folder of the
 * socket is removed with it.
 */
export async function listenForStreams(): Promise<{
  readonly listener: Server;
  readonly path: string;
}> {
  const folder = await createSocketFolder("sockets", "streams", socketName);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, socketName);
  const listener = createServer().listen(path);
  try {
    await once(listener, "listening");
  } catch (error) {
    removeFolder();
    throw error;
  }
  listener.unref();
  process.once("exit", removeFolder);
  listener.once("close", () => {
    process.off("exit", removeFolder);
    removeFolder();
  });
  return { listener, path };
}
