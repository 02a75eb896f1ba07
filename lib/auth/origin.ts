import { env } from "#lib/env.ts";
import { isAllowedHost, requestedHost } from "#lib/hosts/allowed-hosts.ts";

const { origin: appOrigin, protocol: appProtocol } = new URL(env.APP_URL);

/** The Next.js proxy file (`proxy.ts`) sets this request header to the page's path and query. */
export const requestPathHeader = "x-mediamill-path";

/** Which site's page sent a request, according to the browser. */
export type RequestOrigin = "same-origin" | "cross-origin" | "unknown";

/**
 * Reads `Sec-Fetch-Site` and `Origin`, which no page can forge. The service may be reached under several
 * hosts, so the requested host counts as the same origin too if it is allowed, with the scheme of `APP_URL`.
 */
export function classifyOrigin(headers: Headers): RequestOrigin {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site !== null && site !== "same-origin") return "cross-origin";
  if (origin !== null && !isSameOrigin(origin, requestedHost(headers))) return "cross-origin";
  return site === null && origin === null ? "unknown" : "same-origin";
}

/** Whether pages of this service have the origin. */
export function isOwnOrigin(origin: string): boolean {
  return origin === appOrigin;
}

/** Whether a request with these headers may be a write. Requests that read a page have none of them. */
export function mayBeWrite(headers: Headers): boolean {
  return ["content-type", "next-action", "origin"].some((name) => headers.has(name));
}

function isSameOrigin(origin: string, host: string | undefined): boolean {
  if (origin === appOrigin) return true;
  return host !== undefined && origin === `${appProtocol}//${host}` && isAllowedHost(host);
}

/**
 * The path of `target` if it is a page of this service, else `fallback`. Prevents open redirects:
 * `target` comes from a link and is a path or a URL of this service.
 */
export function safeRedirectPath(target: unknown, fallback = "/dashboard"): string {
  if (typeof target !== "string") return fallback;
  const path = target.startsWith(`${appOrigin}/`) ? target.slice(appOrigin.length) : target;
  // Browsers read a backslash as a slash and drop tabs and line breaks; our paths have none of them.
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) || !URL.canParse(path, appOrigin)) return fallback;
  const url = new URL(path, appOrigin);
  return url.origin === appOrigin ? `${url.pathname}${url.search}${url.hash}` : fallback;
}
