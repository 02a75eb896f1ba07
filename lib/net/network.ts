import type { FetchPurpose } from "./addresses.ts";
import { createGuard, type Guard, parseFetchUrl, refuse, UrlFormError } from "./guard.ts";
import { defaultTimeLimits, fetchTimeout, type TimeLimits } from "./pinned-request.ts";

/** By what a request is guarded and timed; tests give their own. */
export interface Network {
  readonly guard: Guard;
  readonly limits: TimeLimits;
  /** A certificate authority to trust instead of the system's, as PEM. */
  readonly ca?: string;
}

let fromEnvironment: Network | undefined;

/** The guard that the environment asks for, made once. */
export function defaultNetwork(): Network {
  fromEnvironment ??= { guard: createGuard(), limits: defaultTimeLimits };
  return fromEnvironment;
}

export const userAgent = "Mediamill/1.0";

/** Runs `work` under a signal that also ends after `ms`, and explains what it throws. */
export async function withDeadline<T>(
  caller: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), ms);
  try {
    caller.throwIfAborted();
    return await work(AbortSignal.any([caller, deadline.signal]));
  } catch (error) {
    if (caller.aborted) throw caller.reason;
    if (deadline.signal.aborted) throw fetchTimeout(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Parses an address that is about to be used; one of bad form is refused like any other. */
export function parseOrRefuse(text: string, purpose: FetchPurpose): URL {
  try {
    return parseFetchUrl(text);
  } catch (cause) {
    if (cause instanceof UrlFormError) throw refuse(purpose, cause);
    throw cause;
  }
}
