import { isAllowedHost, requestedHost } from "./allowed-hosts.ts";

/** The status of a request for a host that is not this service (RFC 9110, 15.5.20). */
export const misdirectedStatus = 421;

export const misdirectedMessage =
  "The `Host` header must name this service: use the URL that its operator gave you. The operator allows further hosts with `ALLOWED_HOSTS`.";

/** The same for people. Has no script, and no link that the requested host could change. */
export const misdirectedPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Unknown host</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem }
</style>
<h1>This service does not answer to this host name</h1>
<p>Use the URL that the operator of this service gave you.</p>
<p>Do you operate it? Set <code>APP_URL</code> to its URL, or add this host name to <code>ALLOWED_HOSTS</code>.</p>
</html>
`;

/** The headers of the page. */
export const misdirectedPageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
  "Cache-Control": "no-store",
};

/** Whether a request with these headers is for another host than this service's. */
export function isMisdirected(headers: Headers): boolean {
  const host = requestedHost(headers);
  return host !== undefined && !isAllowedHost(host);
}
