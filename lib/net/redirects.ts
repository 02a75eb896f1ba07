import { JobError } from "#lib/errors.ts";
import type { FetchPurpose } from "#lib/fetch-url.ts";
import { ResponseStatusError } from "./fetch-errors.ts";
import { type Network, parseOrReject, userAgent } from "./network.ts";
import { type PinnedResponse, readHeader, requestPinned } from "./pinned-request.ts";

const maxRedirects = 5;
export const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/** The headers of every request for a file. */
export const fileRequestHeaders = {
  "user-agent": userAgent,
  accept: "*/*",
  "accept-encoding": "identity",
} as const;

/** A response, the URL that it came from, and the one that was requested before redirects. */
export interface LocatedResponse {
  readonly response: PinnedResponse;
  readonly url: URL;
  readonly requested: URL;
}

/** A request of a chain of redirects. */
export interface RedirectHop {
  readonly url: URL;
  /** The URL of the first request. */
  readonly requested: URL;
  /**
   * Whether the hop leads to the host of the URL that was requested: false after a redirect to
   * another host or to another port.
   */
  readonly isTrusted: boolean;
}

/** The headers of a request in addition to those of every request. */
export type HeadersOf = (
  hop: RedirectHop,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

/** Headers for the host of the URL that was requested, and for no other: credentials. */
export function onlyTrusted(headers: Readonly<Record<string, string>>): HeadersOf {
  return ({ isTrusted }) => (isTrusted ? headers : {});
}

/**
 * Requests the file at `text` with `headers` in addition to those of every request, and follows
 * redirects; each URL is checked. The caller closes the response. Throws `JobError`.
 */
export async function followRedirects(
  text: string,
  network: Network,
  signal: AbortSignal,
  headers: HeadersOf = () => ({}),
): Promise<LocatedResponse> {
  const requested = parseOrReject(text, network.purpose);
  let url = requested;
  let isTrusted = true;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const target = await network.guard.check(url, network.purpose);
    const response = await requestPinned({
      target,
      network,
      method: "GET",
      headers: { ...fileRequestHeaders, ...(await headers({ url, requested, isTrusted })) },
      signal,
    });
    if (!redirectStatuses.includes(response.status)) return { response, url, requested };
    await response.close();
    url = resolveRedirect(url, response, network.purpose);
    isTrusted &&= keepsCredentials(requested, url);
  }
  throw new JobError("fetch_failed", `The server redirected more than ${maxRedirects} times.`);
}

/**
 * Whether a file that was requested at `requested` and found at `found`, after redirects, may get the
 * credentials of the request: the host is the same, and the connection is not less safe.
 */
export function keepsCredentials(requested: URL, found: URL): boolean {
  if (found.hostname !== requested.hostname) return false;
  return found.origin === requested.origin || (found.protocol === "https:" && !found.port);
}

function resolveRedirect(from: URL, response: PinnedResponse, purpose: FetchPurpose): URL {
  const { status } = response;
  const location = readHeader(response, "location");
  const next = location === undefined ? null : URL.parse(location, from);
  if (!next) {
    const message = `The server responded with status ${status} without a redirect URL.`;
    throw new ResponseStatusError(status, message);
  }
  const url = parseOrReject(next.href, purpose);
  if (from.protocol === "https:" && url.protocol === "http:") {
    throw new JobError("fetch_failed", "The server redirected from https to http.");
  }
  return url;
}
