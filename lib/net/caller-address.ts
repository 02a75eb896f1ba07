import ipaddr from "ipaddr.js";

/**
 * Where a request comes from: the peer of its connection, or, behind `trustedProxies` proxies, what
 * the outermost of them wrote into `X-Forwarded-For`. What stands left of that, anybody can claim.
 */
export function callerAddress(
  peer: string,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim());
  const chain = [...hops.filter((hop) => ipaddr.isValid(hop)), peer];
  return plain(chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? peer);
}

/** What one subscriber has: an IPv4 address, or the 64 bits of an IPv6 prefix, of which each has very many addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** IPv4 in IPv6 clothes, as a socket that listens on both tells it, becomes IPv4. */
function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
