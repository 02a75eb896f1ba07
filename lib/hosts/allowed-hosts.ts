import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { env } from "#lib/env.ts";

/**
 * The hosts under which this service responds. A web page can let its own domain name point to this
 * machine (DNS rebinding): then the browser takes the service for a part of that page's site. Its
 * requests still name the page's host, which is not in the list.
 */

interface HostPattern {
  /** The host in lower case, as `URL` writes it: IPv6 in brackets. */
  readonly name: string;
  /** The port; empty for any. */
  readonly port: string;
}

/** The hosts of the service itself, under any port: a proxy may publish another one. */
const ownNames = new Set(
  [new URL(env.APP_URL).hostname, "localhost", env.HOST ?? ""].map((name) => name.toLowerCase()),
);

const allowed: readonly HostPattern[] = [
  ...env.ALLOWED_HOSTS,
  // Vercel gives every deployment hosts of its own.
  env.VERCEL_URL,
  env.VERCEL_BRANCH_URL,
  env.VERCEL_PROJECT_PRODUCTION_URL,
].flatMap((host) => parseHost(host ?? "") ?? []);

/**
 * The host that the client requested: the `Host` header or, behind a trusted proxy, `X-Forwarded-Host`.
 * Undefined for HTTP/1.0 and for requests within the process, which have neither.
 */
export function requestedHost(headers: Headers): string | undefined {
  const forwarded = env.TRUST_PROXY > 0 ? headers.get("x-forwarded-host") : null;
  return forwarded?.split(",")[0]?.trim() || headers.get("host") || undefined;
}

/** Whether the service responds under `host`, which may have a port. */
export function isAllowedHost(host: string): boolean {
  const parsed = parseHost(host);
  if (!parsed) return false;
  const { name, port } = parsed;
  if (ownNames.has(name) || isOwnAddress(name)) return true;
  return allowed.some((one) => one.name === name && isAllowedPort(one.port, port));
}

/** Without a port, a request is for the default port of its scheme. `URL` has removed 80. */
function isAllowedPort(allowedPort: string, port: string): boolean {
  return allowedPort === "" || allowedPort === port || (allowedPort === "443" && port === "");
}

function parseHost(host: string): HostPattern | undefined {
  if (!/^[^/?#@\\\s]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  const { hostname, port } = new URL(`http://${host}`);
  // `example.com.` is the absolute form of the same name.
  return { name: hostname.replace(/\.$/, ""), port };
}

/** Whether `name` is an IP address of this machine. No other IP address can name this service. */
function isOwnAddress(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // The whole of 127.0.0.0/8 is this machine; 0.0.0.0 reaches it too.
  if (["loopback", "unspecified"].includes(parsed.range())) return true;
  return interfaceAddresses().has(parsed.toString());
}

/** An address that a network interface has got since then is known after this time. */
const maxAgeMs = 10_000;

let known: { readonly addresses: ReadonlySet<string>; readonly readAt: number } | undefined;

function interfaceAddresses(): ReadonlySet<string> {
  if (!known || Date.now() - known.readAt > maxAgeMs) {
    const interfaces = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    const addresses = interfaces.map(({ address }) => ipaddr.process(address).toString());
    known = { addresses: new Set(addresses), readAt: Date.now() };
  }
  return known.addresses;
}
