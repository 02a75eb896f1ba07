import { lookup } from "node:dns/promises";
import { isIP, isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import {
  closedRanges,
  embeddingRanges,
  type FetchPurpose,
  globalUnicast6,
  openPorts,
} from "./addresses.ts";

/** The one judge of addresses: inputs, watermark files, webhooks and page resources all pass here. */

/** The longest address that is taken, in characters. */
export const maxUrlLength = 2048;

/** An address whose form is not taken. `message` completes a sentence that begins with the field's name. */
export class UrlFormError extends Error {
  override readonly name = "UrlFormError";
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const confusing = /[\u0000-\u001f\u007f\\]/;

/**
 * Parses an address that a user gave; only its form is judged, nothing is resolved. The parsed
 * object is what is passed on, so that no two parsers can disagree. Throws `UrlFormError`.
 */
export function parseFetchUrl(text: string): URL {
  if (text.length > maxUrlLength) {
    throw new UrlFormError(`must be at most ${maxUrlLength} characters long`);
  }
  // WHATWG parsing drops tabs and line breaks and reads "\" as "/"; nobody means that.
  const url = confusing.test(text) ? null : URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || !/^\s*https?:\/\/[^/]/i.test(text)) {
    throw new UrlFormError("must be a complete http or https address");
  }
  if (url.username || url.password) {
    throw new UrlFormError("must not contain a user name or password");
  }
  return url;
}

const closed = closedRanges.map((range) => ipaddr.parseCIDR(range));
const embedding = embeddingRanges.map((range) => ipaddr.parseCIDR(range));
const unicast6 = ipaddr.parseCIDR(globalUnicast6);

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, range: [ipaddr.IPv4 | ipaddr.IPv6, number]) {
  return address.kind() === range[0].kind() && address.match(range);
}

/**
 * Reads an IP address strictly, where ipaddr.js would take `1.2.3` for one and `::8.8.8.8` for a
 * v4-mapped one: IPv6 goes by way of WHATWG's hexadecimal form. Those with a zone are none.
 */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIPv4(text)) return ipaddr.parse(text);
  const hexadecimal = isIPv6(text) ? URL.parse(`http://[${text}]`)?.hostname : undefined;
  return hexadecimal ? ipaddr.parse(hexadecimal.slice(1, -1)) : undefined;
}

/** Whether `text`, an IP address, is a global unicast one. What is no IP address is not. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  if (embedding.some((range) => isWithin(address, range))) {
    return isPublicAddress(ipaddr.fromByteArray(address.toByteArray().slice(12)).toString());
  }
  if (closed.some((range) => isWithin(address, range))) return false;
  if (address.kind() === "ipv6" && !isWithin(address, unicast6)) return false;
  // ipaddr.js knows some anycast services (AS112, AMT) beside our list.
  return address.range() === "unicast";
}

/** One spelling for each IP address; a v4-mapped one is read as IPv4. */
export function normalizeAddress(text: string): string {
  const address = parseAddress(text);
  return address ? ipaddr.process(address.toString()).toString() : text;
}

/** An address that was judged: connect to one of `addresses` and to nothing else. */
export interface CheckedUrl {
  readonly url: URL;
  /** For a URL without a port, its scheme's. */
  readonly port: number;
  /** IP addresses, normalised; at least one. */
  readonly addresses: readonly string[];
}

export interface GuardRules {
  /** `host:port` that may be reached though private, on any port; exact, lower case. */
  readonly allow: readonly string[];
  /** The service's own host names. */
  readonly ownHosts: readonly string[];
  /** The IP addresses of this machine: from itself a firewall before them would not hold. */
  readonly ownAddresses: () => readonly string[];
  /** Every IP address of a host name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** How long a name may take to resolve. */
  readonly resolveMs: number;
}

export interface Guard {
  /**
   * Resolves the host once and judges every answer. Throws `JobError` `address_refused`, with one
   * sentence for every reason, so that answers tell nothing about names and networks.
   */
  check(url: URL, purpose: FetchPurpose): Promise<CheckedUrl>;
}

export function createGuard(given: Partial<GuardRules> = {}): Guard {
  const rules: GuardRules = { ...rulesOfEnvironment(), ...given };
  const allowed = new Set(rules.allow.map(normalizeEntry));
  return {
    async check(url, purpose) {
      const host = bareHost(url);
      const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
      const isAllowed = allowed.has(`${url.hostname}:${port}`);
      const ports: readonly number[] = openPorts[purpose];
      if (!/^https?:$/.test(url.protocol)) throw refuse(purpose, "the scheme is closed");
      if (!isAllowed && !ports.includes(port)) throw refuse(purpose, "the port is closed");
      if (!isAllowed && rules.ownHosts.includes(host.replace(/\.$/, ""))) {
        throw refuse(purpose, "it is the service's own host");
      }
      const addresses = isIP(host) ? [host] : await resolveInTime(rules, host, purpose);
      const own = new Set(isAllowed ? [] : rules.ownAddresses().map(normalizeAddress));
      const isGood = (address: string) =>
        isAllowed || (isPublicAddress(address) && !own.has(normalizeAddress(address)));
      if (addresses.length === 0 || !addresses.every(isGood)) {
        throw refuse(purpose, "the host has no address, or a closed one");
      }
      return { url, port, addresses: addresses.map(normalizeAddress) };
    },
  };
}

/** The host without the brackets of an IPv6 literal. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

async function resolveInTime(rules: GuardRules, host: string, purpose: FetchPurpose) {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error("resolving took too long")),
    rules.resolveMs,
  );
  try {
    return await Promise.race([rules.resolve(host), late.promise]);
  } catch (cause) {
    throw refuse(purpose, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** The one refusal. */
export function refuse(purpose: FetchPurpose, cause: unknown): JobError {
  const ports = openPorts[purpose];
  const list = `${ports.slice(0, -1).join(", ")} or ${ports.at(-1)}`;
  return new JobError(
    "address_refused",
    `The address cannot be used: it must be a public http or https address that resolves, on port ${list}.`,
    { cause },
  );
}

/** Writes an entry of `FETCH_ALLOW` as WHATWG `URL` writes hosts, so that `[0::1]:80` is `[::1]:80`. */
function normalizeEntry(entry: string): string {
  const port = entry.slice(entry.lastIndexOf(":") + 1);
  return `${URL.parse(`http://${entry}`)?.hostname ?? entry}:${Number(port)}`;
}

function rulesOfEnvironment(): GuardRules {
  return {
    allow: env.FETCH_ALLOW,
    ownHosts: [bareHost(new URL(env.APP_URL))],
    ownAddresses: () =>
      Object.values(networkInterfaces()).flatMap(
        (cards) => cards?.map((card) => card.address) ?? [],
      ),
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    resolveMs: 5000,
  };
}
