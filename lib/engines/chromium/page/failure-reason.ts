import { proxyFailureHeader, proxyFailures } from "#lib/net/proxy/proxy-failure.ts";

/** Why the guarded proxy has answered instead of the server; undefined for a response of the server. */
export function proxyReason(headers: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(headers).find((name) => name.toLowerCase() === proxyFailureHeader);
  const value = name && headers[name];
  const failures: Readonly<Record<string, { readonly reason: string }>> = proxyFailures;
  return value && Object.hasOwn(failures, value) ? failures[value]?.reason : undefined;
}

const networkReasons: Readonly<Record<string, string>> = {
  // The proxy refuses a tunnel without saying why to the browser.
  "net::ERR_TUNNEL_CONNECTION_FAILED": "the server could not be reached",
  "net::ERR_EMPTY_RESPONSE": "the server closed the connection",
  "net::ERR_CONNECTION_RESET": "the server closed the connection",
  "net::ERR_CONNECTION_CLOSED": "the server closed the connection",
  "net::ERR_TIMED_OUT": "no response in time",
  "net::ERR_TOO_MANY_REDIRECTS": "too many redirects",
  "net::ERR_BLOCKED_BY_ORB": "it is not of the type that the page expects",
};

/** What an error of the browser's network means for people; undefined if it says no more than that it failed. */
export function networkReason(errorText: string): string | undefined {
  if (errorText.startsWith("net::ERR_CERT_")) return "the certificate of the server is not valid";
  return networkReasons[errorText];
}
