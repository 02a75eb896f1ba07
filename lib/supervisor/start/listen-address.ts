import type { Env } from "#lib/env.ts";
import { portReasons, tryListen } from "#lib/setup/settings.mjs";
import { findFreePort } from "../postgres/port.ts";
import { StartError } from "./start-error.ts";

/** The variables that say where web listens. */
type ListenVariables = Pick<Env, "PORT" | "HOST" | "IMGPROXY_PORT" | "GOTENBERG_PORT">;

/** A port of web, with the variables that set it and its host. */
interface ListenAddress {
  readonly name: "PORT" | "IMGPROXY_PORT" | "GOTENBERG_PORT";
  readonly port: number;
  readonly hostName: "HOST" | "API_BIND_IP";
  readonly host: string | undefined;
}

/** Why web cannot listen on any port of a host. */
const hostReasons: Record<string, string> = {
  EADDRNOTAVAIL: "is not an address of this machine",
  ENOTFOUND: "is not a known host name",
};

/**
 * The port for web to listen on: `PORT`, or a free port for 0. Throws `StartError` if web cannot listen on it, or on
 * another of its ports.
 */
export async function chooseListenPort(variables: ListenVariables): Promise<number> {
  const { PORT, HOST, IMGPROXY_PORT = 0, GOTENBERG_PORT = 0 } = variables;
  const port = PORT === 0 ? await findFreePort() : PORT;
  // Imported late, as the environment.
  const { gotenbergHost } = await import("#lib/server/gotenberg-host.ts");
  const bound = gotenbergHost(HOST);
  const addresses: readonly ListenAddress[] = [
    { name: "PORT", port, hostName: "HOST", host: HOST },
    { name: "IMGPROXY_PORT", port: IMGPROXY_PORT, hostName: "HOST", host: HOST },
    {
      name: "GOTENBERG_PORT",
      port: GOTENBERG_PORT,
      hostName: bound === HOST ? "HOST" : "API_BIND_IP",
      host: bound,
    },
  ];
  // 0 is a port that is not set, or any free one.
  const chosen = addresses.filter((address) => address.port !== 0);
  for (const [index, address] of chosen.entries()) {
    requireOtherPort(address, chosen.slice(0, index));
    await requireFreePort(address);
  }
  return port;
}

/** Throws if web listens on the port already. Two ports on different hosts may be the same. */
function requireOtherPort({ name, port, host }: ListenAddress, others: readonly ListenAddress[]) {
  const overlaps = (other: ListenAddress) =>
    other.host === host || isEveryAddress(other.host) || isEveryAddress(host);
  const same = others.find((other) => other.port === port && overlaps(other));
  if (!same) return;
  throw new StartError(`${name}: ${port} is the port of ${same.name}; set ${name} to another port`);
}

async function requireFreePort({ name, port, hostName, host }: ListenAddress): Promise<void> {
  const code = await tryListen(port, host);
  if (code === undefined) return;
  const reason = portReasons[code]?.(name);
  if (reason) throw new StartError(`${name}: ${port} ${reason}`);
  const hostReason = hostReasons[code] ?? `cannot be used (${code})`;
  throw new StartError(
    `${hostName}: ${host} ${hostReason}; set ${hostName} to an address of this machine, or leave it unset`,
  );
}

const isEveryAddress = (host: string | undefined) =>
  host === undefined || host === "0.0.0.0" || host === "::";

/** The URL by which this machine reaches a server on `host` (undefined: all addresses). */
export function formatLocalUrl(port: number, host: string | undefined): string {
  if (host === undefined || isEveryAddress(host)) return `http://localhost:${port}`;
  return host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}
