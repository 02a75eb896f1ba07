import { env } from "#lib/env.ts";

const { origin: appOrigin, protocol: appProtocol } = new URL(env.APP_URL);

/** Under this name `proxy.ts` tells the path and query of the page that is asked for. */
export const requestPathHeader = "x-mediamill-path";

/** Where a request comes from, as its browser says: from our own pages, from elsewhere, or it does not say. */
export type Provenance = "own" | "foreign" | "unknown";

/**
 * Judges `Sec-Fetch-Site` and `Origin`, which no page can forge. Behind http the service may be
 * reached under several names, so there the host asked for counts as our own too.
 */
export function provenanceOf(headers: Headers): Provenance {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  // Behind a proxy the host asked for is in the first; no page can set either of them.
  const host = headers.get("x-forwarded-host")?.split(",")[0]?.trim() ?? headers.get("host");
  if (site !== null && site !== "same-origin") return "foreign";
  if (origin !== null && !isOwnOrigin(origin, host)) return "foreign";
  return site === null && origin === null ? "unknown" : "own";
}

/** Whether a request with these headers can change anything: those that only read a page carry none of them. */
export function looksLikeWrite(headers: Headers): boolean {
  return ["content-type", "next-action", "origin"].some((name) => headers.has(name));
}

function isOwnOrigin(origin: string, host: string | null | undefined): boolean {
  return origin === appOrigin || (appProtocol === "http:" && origin === `http://${host}`);
}

/**
 * The path that `target` leads to, if it is a page of ours, else `otherwise`: what a link says about
 * where to go next must not lead anywhere else. `target` is a path, or an address of ours.
 */
export function ownPath(target: unknown, otherwise = "/dashboard"): string {
  if (typeof target !== "string") return otherwise;
  const path = target.startsWith(`${appOrigin}/`) ? target.slice(appOrigin.length) : target;
  // Browsers read a backslash as a slash and drop tabs and line breaks; no path of ours has any.
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) || !URL.canParse(path, appOrigin)) return otherwise;
  const url = new URL(path, appOrigin);
  return url.origin === appOrigin ? `${url.pathname}${url.search}${url.hash}` : otherwise;
}
