import { connectionFile } from "#lib/fetch-url.ts";

/** The URL without user info, fragment and query values, because these may be secrets. A file in a connection stays. */
export function redactUrl(given: string): string {
  if (connectionFile.test(given)) return given;
  const url = new URL(given);
  url.username = "";
  url.password = "";
  url.hash = "";
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, "");
  return url.href;
}

/** The URL without user info, query and fragment. */
export function withoutQuery(given: string): string {
  const url = new URL(redactUrl(given));
  url.search = "";
  return url.href;
}

/** The path for logs: without the token of a test receiver or of a shared result, which opens it. */
export function redactPath(path: string): string {
  return path.replace(/^\/(hooks|r|files\/r)\/.+/s, "/$1/***");
}
