import type { PageCookie, PageCredentials } from "./settings.ts";

/**
 * The headers of a request for the page itself at `url`. `requested` is the URL that the client gave;
 * `isTrusted` is false once a redirect has left its host.
 */
export function pageRequestHeaders(
  { userAgent, headers = {}, cookies = [] }: PageCredentials,
  url: URL,
  requested: URL,
  isTrusted: boolean,
): Record<string, string> {
  const sent: Record<string, string> = userAgent ? { "user-agent": userAgent } : {};
  if (isTrusted) Object.assign(sent, lowerCaseNames(headers));
  const cookie = cookies
    .filter((one) => matches(one, url, requested))
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
  return cookie ? { ...sent, cookie } : sent;
}

export function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(lower);
}

/** The URL whose host alone gets the cookie. */
export function cookieUrl({ domain, secure }: PageCookie, page: URL): string {
  const host = domain ?? page.hostname;
  return `${secure ? "https" : "http"}://${host}/`;
}

/** RFC 6265, 5.4, for a cookie of one host. */
function matches(cookie: PageCookie, url: URL, requested: URL): boolean {
  const { path = "/", secure } = cookie;
  if (url.hostname !== new URL(cookieUrl(cookie, requested)).hostname) return false;
  if (secure && url.protocol !== "https:") return false;
  const folder = path.endsWith("/") ? path : `${path}/`;
  return url.pathname === path || url.pathname.startsWith(folder);
}
