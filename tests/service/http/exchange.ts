import { once } from "node:events";
import { type OutgoingHttpHeaders, request } from "node:http";

/** A request as it is written to the connection: paths and methods that `fetch` would change or reject. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** The response is read until this text, and the connection is closed then. */
  readonly until?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request to the server at `url`. */
export async function exchange(url: string, sent: Sent): Promise<Received> {
  const { hostname, port, host } = new URL(url);
  const { method = "GET", path, headers = {}, body } = sent;
  const outgoing = request({ hostname, port, method, path, headers: { host, ...headers } });
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  let text = "";
  for await (const chunk of incoming) {
    text += chunk.toString();
    if (sent.until !== undefined && text.includes(sent.until)) break;
  }
  outgoing.destroy();
  return { status: incoming.statusCode, headers: flatten(incoming.headers), body: text };
}

function flatten(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]),
  );
}

/** Headers that clients read. The others are of the connection, or of Next.js. */
const compared = [
  "content-type",
  "content-disposition",
  "content-range",
  "content-security-policy",
  "accept-ranges",
  "access-control-allow-origin",
  "access-control-allow-headers",
  "allow",
  "access-control-allow-methods",
  "access-control-expose-headers",
  "etag",
  "location",
  "cache-control",
  "ratelimit-limit",
  "retry-after",
  "www-authenticate",
  "x-error-code",
  "x-content-type-options",
  "x-frame-options",
  "x-total-count",
  "prefer",
  "preference-applied",
];

/** The entries of `Vary` that Next.js adds to each response of a route. */
const nextVary = /^(?:rsc|next-router-[\w-]+|next-url|accept-encoding)$/i;

/** What must be the same from both servers: ids, times and nonces are masked. */
export function comparable({ status, headers, body }: Received, kind: "exact" | "keys" | "none") {
  const kept = compared.flatMap((name) => {
    const value = headers[name];
    if (value === undefined) return [];
    // Other tests make jobs of the same account between the two requests.
    const isCount = name === "x-total-count" && /^\d+$/.test(value);
    return [[name, isCount ? "<count>" : mask(value)] as const];
  });
  const vary = (headers.vary ?? "").split(/,\s*/).filter((one) => one && !nextVary.test(one));
  return {
    status,
    ...Object.fromEntries(kept),
    ...(vary.length > 0 && { vary }),
    hasRequestId: /^req_/.test(headers["x-request-id"] ?? ""),
    ...(kind === "exact" && { body: mask(body) }),
    ...(kind === "keys" && { keys: Object.keys(JSON.parse(body)) }),
  };
}

function mask(text: string): string {
  return text
    .replace(/\b(job|req|upl|upload)_[0-9A-Za-z]{24}/g, "$1_…")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "(time)")
    .replace(/nonce-\w+/g, "nonce-…")
    .replace(/(expires|signature|token)=[\w-]+/g, "$1=…");
}

/** The length of the body of a HEAD response or a file. Next.js drops `Content-Length` from a file's response. */
export function lengthOf({ headers }: Received): string | undefined {
  return headers["content-length"] ?? headers["x-body-length"];
}
