import { startDeadline } from "#lib/deadline.ts";
import { type FetchPurpose, InvalidUrlError, parseFetchUrl } from "#lib/fetch-url.ts";
import { fetchTimeoutError } from "./fetch-errors.ts";
import { createGuard, type Guard, rejectedUrl } from "./guard.ts";
import type { KeptConnections } from "./kept-connections.ts";
import { defaultTimeLimits, type TimeLimits } from "./limits/time-limits.ts";
import { Traffic, type TrafficLimits } from "./limits/traffic.ts";

/**
 * The right to fetch URLs that users have named. Everything that fetches one takes a network, and there is none
 * without a purpose.
 */
export interface Network {
  readonly purpose: FetchPurpose;
  readonly guard: Guard;
  readonly limits: TimeLimits;
  /** Counts and limits the traffic. Without it, the caller does. */
  readonly traffic?: Traffic;
  /** Whether every URL is rejected. */
  readonly isClosed?: true;
  /** Connections that are used again. Without them, each request has one of its own. */
  readonly connections?: KeptConnections;
  /** A certificate authority to trust instead of the system's, as PEM. */
  readonly ca?: string;
}

let environmentGuard: Guard | undefined;

/** The network of this installation, by its environment variables. */
export function networkFor(purpose: FetchPurpose): Network {
  environmentGuard ??= createGuard();
  return { purpose, guard: environmentGuard, limits: defaultTimeLimits };
}

/** The network for what the files of one job load. */
export function createPageNetwork(limits: TrafficLimits): Network {
  return withTraffic(networkFor("pages"), new Traffic(limits));
}

/**
 * The network with limited traffic. Every check of a URL counts as a request, before its host is resolved:
 * otherwise a page could ask for any number of names.
 */
export function withTraffic(network: Network, traffic: Traffic): Network {
  const { guard } = network;
  const check: Guard["check"] = async (url, purpose) => {
    traffic.addRequests();
    return guard.check(url, purpose);
  };
  return { ...network, guard: { ...guard, check }, traffic };
}

/** The `User-Agent` of all requests. */
export const userAgent = "Mediamill/1.0";

/**
 * Runs `work` with a signal that is aborted with `caller` or after `ms`. Throws the reason of `caller`
 * or, after `ms`, a `fetch_timeout` error.
 */
export async function withDeadline<T>(
  caller: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller.throwIfAborted();
  const controller = new AbortController();
  const cancelDeadline = startDeadline({ timeoutMs: ms, signal: caller }, () =>
    controller.abort(caller.reason),
  );
  try {
    return await work(controller.signal);
  } catch (error) {
    if (caller.aborted) throw caller.reason;
    if (controller.signal.aborted) throw fetchTimeoutError(error);
    throw error;
  } finally {
    cancelDeadline();
  }
}

/** Parses a URL that is about to be fetched. An invalid one gets the same error as a rejected one. */
export function parseOrReject(text: string, purpose: FetchPurpose): URL {
  try {
    return parseFetchUrl(text);
  } catch (cause) {
    if (cause instanceof InvalidUrlError) throw rejectedUrl(purpose, cause);
    throw cause;
  }
}
