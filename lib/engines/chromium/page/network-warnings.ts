import { formatTrafficLimit } from "#lib/net/limits/traffic.ts";
import type { Network } from "#lib/net/network.ts";
import { uploadUrl } from "./page-document.ts";
import type { ResourceLog } from "./resource-log.ts";

/** Why the network has kept a page from its resources, in one sentence; none if it has not. */
export function networkWarnings({ isClosed, traffic }: Network, failed: ResourceLog): string[] {
  if (isClosed) {
    const count = failed.countOutside(uploadUrl);
    if (count === 0) return [];
    const resources = count === 1 ? "1 resource was" : `${count} resources were`;
    return [`Pages have no network access without an account: ${resources} not loaded.`];
  }
  if (!traffic?.exceeded) return [];
  const limit = formatTrafficLimit(traffic.exceeded, traffic.limits);
  return [`The files of a job load at most ${limit}. Further ones were not loaded.`];
}
