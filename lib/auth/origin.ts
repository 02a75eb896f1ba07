import { env } from "#lib/env.ts";

const { origin: appOrigin, protocol: appProtocol } = new URL(env.APP_URL);

/** The Next.js proxy file (`proxy.ts`) sets this request header to the page's path and query. */
export const requestPathHeader = "x-mediamill-path";

/** Which site's page sent a request, according to the browser. */
export type RequestOrigin = "same-origin" | "cross-origin" | "unknown";

/**
 * Reads `Sec-Fetch-Site` and `Origin`, which no page can forge. Over plain HTTP the service may be
 * reached under several host names, so the requested host counts as the same origin too.
 */
export function classifyOrigin(headers: Headers): RequestOrigin {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  // A reverse proxy puts the requested host into X-Forwarded-Host; a page can set neither header.
  const host = headers.get("x-forwarded-host")?.split(",")[0]?.trim() ?? headers.get("host");
  if (site !== null && site !== "same-origin") return "cross-origin";
  if (origin !== null && !isSameOrigin(origin, host)) return "cross-origin";
  return site === null && origin === null ? "unknown" : "same-origin";
}

/** Whether a request with these headers may be a write. Requests that read a page have none of them. */
export function mayBeWrite(headers: Headers): boolean {
  return ["content-type", "next-action", "origin"].some((name) => headers.has(name));
}

function isSameOrigin(origin: string, host: string | null | undefined): boolean {
  return origin === appOrigin || (appProtocol === "http:" && origin === `http://${host}`);
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
