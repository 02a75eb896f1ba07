import { JobError } from "#lib/errors.ts";
import { defaultTimeLimits } from "./limits/time-limits.ts";
import type { Network } from "./network.ts";

/**
 * Rejects every URL: the network of jobs without an account, and of everything that needs none. In a file that loads
 * no code of requests, because sandboxed workers load it.
 */
export const noNetwork: Network = {
  purpose: "pages",
  guard: {
    findObstacle: () => "host",
    async check() {
      const message = "Files that are sent without an account have no network access.";
      throw new JobError("address_refused", message);
    },
  },
  limits: defaultTimeLimits,
  isClosed: true,
};
