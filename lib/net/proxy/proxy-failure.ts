/** The response header by which the guarded proxy says that a failure is its own: a key of `proxyFailures`. */
export const proxyFailureHeader = "x-mediamill-proxy-failure";

/** Why the guarded proxy rejects a request: its status, and the reason in a warning. */
export const proxyFailures = {
  address: { status: 403, reason: "its address is not allowed" },
  closed: { status: 403, reason: "there is no network access" },
  requests: { status: 429, reason: "the limit of requests is reached" },
  bytes: { status: 429, reason: "the limit of data is reached" },
  refused: { status: 502, reason: "the server refused the connection" },
  unreachable: { status: 502, reason: "the server could not be reached" },
  busy: { status: 503, reason: "too many requests at once" },
} as const satisfies Record<string, { readonly status: number; readonly reason: string }>;

export type ProxyFailure = keyof typeof proxyFailures;
