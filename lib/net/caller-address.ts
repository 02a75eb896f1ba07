import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The IP address of the caller: the peer of the connection or, behind `trustedProxies` proxies, the
 * entry of the outermost one in `X-Forwarded-For`. Entries to its left can be forged by anyone.
 */
export function callerAddress(
  peer: string,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  if (trustedProxies === 0) return normalizeIp(peer);
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim());
  const chain = [...hops.filter((hop) => isIP(hop) !== 0), peer];
  return normalizeIp(chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? peer);
}

/** The caller's address in the headers of a request, which `lib/server` has put there; Vercel does the same. */
export function addressIn(headers: Headers): string | undefined {
  return headers.get("x-forwarded-for")?.split(",")[0]?.trim() || undefined;
}

/** The network of one subscriber: an IPv4 address, or a /64 prefix of IPv6. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** A v4-mapped IPv6 address, which dual-stack sockets report, becomes IPv4. */
function normalizeIp(address: string): string {
  // By far the most common case; parsing costs a tenth of a small request.
  if (isIPv4(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
