import { startDeadline } from "#lib/deadline.ts";
import { InvalidUrlError, parseFetchUrl } from "#lib/fetch-url.ts";
import type { FetchPurpose } from "./addresses.ts";
import { createGuard, type Guard, rejectedUrl } from "./guard.ts";
import { defaultTimeLimits, fetchTimeoutError, type TimeLimits } from "./pinned-request.ts";

/** The guard and the time limits of requests; tests use different ones. */
export interface Network {
  readonly guard: Guard;
  readonly limits: TimeLimits;
  /** A certificate authority to trust instead of the system's, as PEM. */
  readonly ca?: string;
}

let environmentNetwork: Network | undefined;

/** The network of this installation, by its environment variables. */
export function defaultNetwork(): Network {
  environmentNetwork ??= { guard: createGuard(), limits: defaultTimeLimits };
  return environmentNetwork;
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
