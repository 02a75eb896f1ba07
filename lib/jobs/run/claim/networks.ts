import { createPageNetwork, type Network, networkFor } from "#lib/net/network.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { type PlanName, plans } from "#lib/plans.ts";

/** What a job may fetch, by the plan under which it was accepted. */

/** The network for the files that the request names by URL. */
export function inputNetworkFor(plan: PlanName): Network {
  return plans[plan].network ? networkFor("inputs") : noNetwork;
}

/** The network for the outputs that are sent to URLs of the request. */
export function exportNetworkFor(plan: PlanName): Network {
  return plans[plan].network ? networkFor("exports") : noNetwork;
}

/** The network for what the job's files load themselves. It counts the traffic of one attempt. */
export function pageNetworkFor(plan: PlanName): Network {
  const { network } = plans[plan];
  return network ? createPageNetwork(network) : noNetwork;
}
