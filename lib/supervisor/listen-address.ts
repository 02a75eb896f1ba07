import { createServer } from "node:net";
import { findFreePort } from "./postgres/port.ts";
import { StartError } from "./start-error.ts";

const reasons: Record<string, string> = {
  EADDRINUSE: "is in use; set PORT to one that is free",
  EACCES: "may only be used by root; set PORT to one above 1023",
};

/** The port that web is to listen on: `port` if it can be, a free one for 0. Throws `StartError`. */
export async function checkListenAddress(port: number, host: string | undefined): Promise<number> {
  const chosen = port === 0 ? await findFreePort() : port;
  const code = await tryListen(chosen, host);
  if (code === undefined) return chosen;
  const reason = reasons[code];
  throw new StartError(
    reason ? `PORT: ${chosen} ${reason}` : `HOST: ${host} cannot be listened on (${code})`,
  );
}

/** Where this machine itself reaches what listens on `host` (undefined: all addresses). */
export function localAddress(port: number, host: string | undefined): string {
  const everywhere = host === undefined || host === "0.0.0.0" || host === "::";
  if (everywhere) return `http://localhost:${port}`;
  return host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

/** Undefined, or the code of the error that listening there ends in. */
function tryListen(port: number, host: string | undefined): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const server = createServer();
  server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  return promise;
}
