import { type Network, networkFor } from "#lib/net/network.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { type PlanName, plans } from "#lib/plans.ts";

/** The network for the stores of connections, by the plan of their account. */
export function connectionNetworkFor(plan: PlanName): Network {
  return plans[plan].network ? networkFor("connections") : noNetwork;
}
