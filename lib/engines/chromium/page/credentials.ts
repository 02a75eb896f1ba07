import { compileScope } from "#lib/net/url-scopes.ts";
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
  Object.assign(sent, selectHeaders(headers)(url.href, isTrusted));
  const cookie = cookies
    .filter((one) => matches(one, url, requested))
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
  return cookie ? { ...sent, cookie } : sent;
}

/** The time that the scopes of one page may take in total. After it, headers with a scope are not sent. */
const maxMatchMs = 1000;

/**
 * Returns a function of the headers that a request for a URL gets, with names in lower case. `isOwn`: whether it gets
 * those without a scope.
 */
export function selectHeaders(
  headers: NonNullable<PageCredentials["headers"]>,
): (url: string, isOwn: boolean) => Record<string, string> {
  const own: Record<string, string> = {};
  const scoped: { name: string; value: string; matches: (url: string) => boolean }[] = [];
  for (const [name, header] of Object.entries(headers)) {
    if (typeof header === "string") own[name.toLowerCase()] = header;
    else scoped.push({ name, value: header.value, matches: compileScope(header.scope) });
  }
  let spentMs = 0;
  return (url, isOwn) => {
    const selected = isOwn ? { ...own } : {};
    for (const { name, value, matches } of scoped) {
      if (spentMs > maxMatchMs) break;
      const startedAt = performance.now();
      if (matches(url)) selected[name.toLowerCase()] = value;
      spentMs += performance.now() - startedAt;
    }
    return selected;
  };
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
