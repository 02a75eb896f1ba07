import { createServer } from "node:net";
import { findFreePort } from "../postgres/port.ts";
import { StartError } from "./start-error.ts";

const reasons: Record<string, string> = {
  EADDRINUSE: "is in use; set PORT to a free port",
  EACCES: "is reserved for root; set PORT to a port above 1023",
};

/** The port for web to listen on: `port`, or a free port for 0. Throws `StartError` if it cannot listen. */
export async function chooseListenPort(port: number, host: string | undefined): Promise<number> {
  const chosen = port === 0 ? await findFreePort() : port;
  const code = await tryListen(chosen, host);
  if (code === undefined) return chosen;
  const reason = reasons[code];
  throw new StartError(
    reason ? `PORT: ${chosen} ${reason}` : `HOST: cannot listen on ${host} (${code})`,
  );
}

/** The URL by which this machine reaches a server on `host` (undefined: all addresses). */
export function formatLocalUrl(port: number, host: string | undefined): string {
  const isEveryAddress = host === undefined || host === "0.0.0.0" || host === "::";
  if (isEveryAddress) return `http://localhost:${port}`;
  return host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

/** The error code of listening on this address; undefined if it works. */
function tryListen(port: number, host: string | undefined): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const server = createServer();
  server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  return promise;
}
