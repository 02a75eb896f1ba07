/** The IP ranges and ports that may be fetched from. Sources: the IANA special-purpose registries. */

import type { FetchPurpose } from "#lib/fetch-url.ts";

/** Ranges that are not global unicast, and cloud metadata hosts with public addresses. */
export const blockedRanges = [
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
  // The host agent of Azure, reachable from every virtual machine.
  "168.63.129.16/32",
  // IPv4-compatible addresses, which ipaddr.js classifies as unicast, and :: and ::1.
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

/** IPv6 ranges whose last 32 bits are an IPv4 address, which is checked instead. */
export const embeddingRanges = ["::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"] as const;

/** The only IPv6 range from which global unicast addresses are allocated (RFC 4291, IANA). */
export const globalUnicast6 = "2000::/3";

/** The allowed ports, by purpose. */
export const allowedPorts = {
  inputs: [80, 443, 8080, 8443],
  webhooks: [80, 443],
  pages: [80, 443, 8080, 8443],
  exports: [80, 443, 8080, 8443],
  // Those of SFTP, and of S3-compatible stores.
  connections: [22, 80, 443, 2022, 2222, 8080, 8443, 9000],
} as const satisfies Record<FetchPurpose, readonly number[]>;
