import { lookup } from "node:dns/promises";
import { isIP, isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { withTimeout } from "#lib/deadline.ts";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { type FetchPurpose, incompleteUrlMessage, parseAllowedHost } from "#lib/fetch-url.ts";
import { allowedPorts, blockedRanges, embeddingRanges, globalUnicast6 } from "./addresses.ts";

/** Checks all URLs that are fetched for users: inputs, watermark files, webhooks, page resources. */

const blockedCidrs = blockedRanges.map((range) => ipaddr.parseCIDR(range));
const embeddingCidrs = embeddingRanges.map((range) => ipaddr.parseCIDR(range));
const unicastCidr6 = ipaddr.parseCIDR(globalUnicast6);

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, range: [ipaddr.IPv4 | ipaddr.IPv6, number]) {
  return address.kind() === range[0].kind() && address.match(range);
}

/**
 * Parses an IP address strictly: ipaddr.js accepts `1.2.3`, and reads `::8.8.8.8` as v4-mapped, so
 * IPv6 is first converted to WHATWG's hexadecimal form. Addresses with a zone are invalid.
 */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIPv4(text)) return ipaddr.parse(text);
  const hexadecimal = isIPv6(text) ? URL.parse(`http://[${text}]`)?.hostname : undefined;
  return hexadecimal ? ipaddr.parse(hexadecimal.slice(1, -1)) : undefined;
}

/** Whether `text` is a global unicast IP address. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  if (embeddingCidrs.some((range) => isWithin(address, range))) {
    return isPublicAddress(ipaddr.fromByteArray(address.toByteArray().slice(12)).toString());
  }
  if (blockedCidrs.some((range) => isWithin(address, range))) return false;
  if (address.kind() === "ipv6" && !isWithin(address, unicastCidr6)) return false;
  // ipaddr.js also knows some anycast services (AS112, AMT).
  return address.range() === "unicast";
}

/** The canonical form of an IP address; a v4-mapped one becomes IPv4. Other text stays. */
export function normalizeAddress(text: string): string {
  const address = parseAddress(text);
  return address ? ipaddr.process(address.toString()).toString() : text;
}

/** A URL that passed the guard. Connect only to one of `addresses`. */
export interface CheckedUrl {
  readonly url: URL;
  /** The default port of the scheme for a URL without one. */
  readonly port: number;
  /** The IP addresses, at least one, in canonical form. */
  readonly addresses: readonly string[];
}

export interface GuardRules {
  /** Entries of `FETCH_ALLOW`: exact hosts that may be called although private or on another port; lower case. */
  readonly allow: readonly string[];
  /** The host names of the service. */
  readonly serviceHosts: readonly string[];
  /** The IP addresses of this machine: a firewall does not filter connections to itself. */
  readonly machineAddresses: () => readonly string[];
  /** Every IP address of a host name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Time limit for resolving a name, in milliseconds. */
  readonly resolveMs: number;
}

/** Why a URL can never be fetched, independent of what its host resolves to. */
export type FetchObstacle = "scheme" | "port" | "host";

export interface Guard {
  /**
   * Checks what needs no name resolution: the scheme, the port, and a host that is an IP address, `localhost` or the
   * service itself. Undefined if there is nothing against the URL.
   */
  findObstacle(url: URL, purpose: FetchPurpose): FetchObstacle | undefined;
  /**
   * Resolves the host once and checks every resulting address. Throws `JobError` `address_refused`,
   * with the same message for every reason, so that errors reveal nothing about names and networks.
   */
  check(url: URL, purpose: FetchPurpose): Promise<CheckedUrl>;
}

/** Creates a guard; rules that are not `given` come from the environment. */
export function createGuard(given: Partial<GuardRules> = {}): Guard {
  const rules: GuardRules = { ...rulesFromEnvironment(), ...given };
  const allowed = new Set(rules.allow.flatMap(normalizeAllowedHost));
  const isAllowed = (url: URL, purpose: FetchPurpose) =>
    [portOf(url), "*"].some((port) => allowed.has(`${purpose}=${url.hostname}:${port}`));

  function arePermitted(url: URL, addresses: readonly string[], purpose: FetchPurpose): boolean {
    if (addresses.length === 0 || isAllowed(url, purpose)) return addresses.length > 0;
    const machine = new Set(rules.machineAddresses().map(normalizeAddress));
    return addresses.every(
      (address) => isPublicAddress(address) && !machine.has(normalizeAddress(address)),
    );
  }

  function findObstacle(url: URL, purpose: FetchPurpose): FetchObstacle | undefined {
    const ports: readonly number[] = allowedPorts[purpose];
    if (!/^https?:$/.test(url.protocol)) return "scheme";
    if (isAllowed(url, purpose)) return undefined;
    if (!ports.includes(portOf(url))) return "port";
    const host = hostWithoutBrackets(url);
    if (isIP(host)) return arePermitted(url, [host], purpose) ? undefined : "host";
    const name = host.replace(/\.$/, "");
    return rules.serviceHosts.includes(name) || localName.test(name) ? "host" : undefined;
  }

  return {
    findObstacle,
    async check(url, purpose) {
      const obstacle = findObstacle(url, purpose);
      if (obstacle) throw rejectedUrl(purpose, `${obstacle} not allowed`);
      const host = hostWithoutBrackets(url);
      const addresses = isIP(host) ? [host] : await resolveWithTimeout(rules, host, purpose);
      if (!arePermitted(url, addresses, purpose)) {
        throw rejectedUrl(purpose, "no address, or a blocked one");
      }
      return { url, port: portOf(url), addresses: addresses.map(normalizeAddress) };
    },
  };
}

/** Names of the machine itself (RFC 6761). */
const localName = /(?:^|\.)localhost$/;

/** The port, or the default one of the scheme. */
function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80));
}

/** The host of `url`, without the brackets of an IPv6 literal. */
function hostWithoutBrackets(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

async function resolveWithTimeout(rules: GuardRules, host: string, purpose: FetchPurpose) {
  const createError = () => new Error("name resolution timed out");
  try {
    return await withTimeout(rules.resolve(host), rules.resolveMs, createError);
  } catch (cause) {
    throw rejectedUrl(purpose, cause);
  }
}

/** The error for every URL that is not allowed; `cause` is logged, the message is always the same. */
export function rejectedUrl(purpose: FetchPurpose, cause: unknown): JobError {
  return new JobError(
    "address_refused",
    `The URL is not allowed: it must be a public http or https URL whose host resolves, on port ${describePorts(purpose)}.`,
    { cause },
  );
}

/** The message about an obstacle. It follows the name of the field: "must be …". */
export function obstacleMessage(obstacle: FetchObstacle, purpose: FetchPurpose): string {
  switch (obstacle) {
    case "scheme":
      return incompleteUrlMessage;
    case "port":
      return `must be on port ${describePorts(purpose)}`;
    case "host":
      return "must have a public host: private, loopback and reserved addresses are never called";
  }
}

function describePorts(purpose: FetchPurpose): string {
  const ports = allowedPorts[purpose];
  return `${ports.slice(0, -1).join(", ")} or ${ports.at(-1)}`;
}

/**
 * Converts an entry of `FETCH_ALLOW` to one for each of its purposes, with the host in the form of WHATWG `URL`:
 * `pages=[0::1]:80` becomes `pages=[::1]:80`.
 */
function normalizeAllowedHost(entry: string): string[] {
  const parsed = parseAllowedHost(entry);
  if (typeof parsed === "string") throw new Error(`FETCH_ALLOW ${parsed}`);
  const { host, purposes } = parsed;
  const port = host.slice(host.lastIndexOf(":") + 1);
  const name = URL.parse(`http://${host.replace(/:\*$/, "")}`)?.hostname ?? host;
  return purposes.map((purpose) => `${purpose}=${name}:${port}`);
}

function rulesFromEnvironment(): GuardRules {
  return {
    allow: env.FETCH_ALLOW,
    serviceHosts: [hostWithoutBrackets(new URL(env.APP_URL))],
    machineAddresses: () =>
      Object.values(networkInterfaces()).flatMap(
        (entries) => entries?.map((entry) => entry.address) ?? [],
      ),
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    resolveMs: 5000,
  };
}
