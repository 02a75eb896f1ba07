import { networkOf } from "#lib/net/caller-address.ts";

/**
 * Limits requests with API keys that do not exist, per network address: 60 at once, then one per second. In
 * the memory of this process, because a rejected request should not cost a write to the database. The key
 * is looked up first, so that a valid key works from any network.
 */

const burst = 60;
const eachMs = 1000;

/** Above this number of networks, those with all attempts available are forgotten. */
const maxNetworks = 10_000;

/** When all attempts of a network are available again, in milliseconds since 1970. */
const resets = new Map<string, number>();

/** Counts an unknown key. Returns 0, or the seconds to wait if there were too many. */
export function countUnknownKey(address: string, now = Date.now()): number {
  const network = networkOf(address);
  const next = Math.max(resets.get(network) ?? 0, now) + eachMs;
  const excess = next - now - burst * eachMs;
  if (excess > 0) return Math.ceil(excess / 1000);
  // Inserted last: the first networks of the map are those that tried longest ago.
  resets.delete(network);
  resets.set(network, next);
  if (resets.size > maxNetworks) forgetNetworks(now);
  return 0;
}

function forgetNetworks(now: number): void {
  for (const [network, resetsAt] of resets) {
    if (resetsAt <= now) resets.delete(network);
  }
  const [oldest] = resets.keys();
  if (oldest !== undefined && resets.size > maxNetworks) resets.delete(oldest);
}
