/** Which parts of the address space are closed, as data. Sources: the IANA special-purpose registries. */

/** Everything that is not global unicast, and the metadata hosts of clouds that live in public space. */
export const closedRanges = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Azure's host agent answers to every guest at this public address.
  "168.63.129.16/32",
  // IPv4-compatible addresses, which ipaddr.js takes for unicast, with :: and ::1.
  "::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
] as const;

/** IPv6 ranges whose last 32 bits are an IPv4 address: that one is what is judged. */
export const embeddingRanges = ["::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"] as const;

/** The only part of IPv6 from which global unicast addresses are given out (RFC 4291, IANA). */
export const globalUnicast6 = "2000::/3";

/** Ports that may be reached, by what for. */
export const openPorts = {
  input: [80, 443, 8080, 8443],
  webhook: [80, 443],
} as const satisfies Record<string, readonly number[]>;

export type FetchPurpose = keyof typeof openPorts;
