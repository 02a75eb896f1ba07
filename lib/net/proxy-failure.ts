/** The response header by which the guarded proxy says that a failure is its own: the status. */
export const proxyFailureHeader = "x-mediamill-proxy-failure";

/** What the statuses of the proxy mean. */
export const proxyFailures: Readonly<Record<number, string>> = {
  403: "its address is not allowed",
  502: "the server could not be reached",
  503: "too many requests at once",
};
