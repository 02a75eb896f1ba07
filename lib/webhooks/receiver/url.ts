import { env } from "#lib/env.ts";
import { randomBase62 } from "#lib/ids.ts";

/** A receiver's token: 190 random bits. */
export function createReceiverToken(): string {
  return randomBase62(32);
}

const tokenPattern = /^[0-9A-Za-z]{32}$/;

/** The URL of the receiver with this token. */
export function receiverUrl(token: string): string {
  return `${env.APP_URL}/hooks/${token}`;
}

/**
 * The token of a receiver's URL. Undefined unless the URL is exactly what `receiverUrl` returns: the scheme, host
 * and port of `APP_URL`, the path, and nothing after it. The token may not exist.
 */
export function receiverTokenOf(url: string): string | undefined {
  const token = url.slice(url.lastIndexOf("/") + 1);
  return tokenPattern.test(token) && url === normalize(receiverUrl(token)) ? token : undefined;
}

/** Writes a URL in the form in which the URLs of deliveries are stored. */
function normalize(url: string): string {
  return new URL(url).href;
}
