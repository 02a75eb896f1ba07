import type { InputHost, Service } from "#tests/service/service.ts";

/** The environment variable by which the set-up tells the workers where the service runs. */
export const serviceVariable = "MEDIAMILL_BROWSER_TESTS";

/** The service that all browser tests share, and the host that it may fetch from. */
export function runningService(): { readonly service: Service; readonly host: InputHost } {
  const told = process.env[serviceVariable];
  if (told === undefined) throw new Error("the set-up has not told where the service runs");
  return JSON.parse(told);
}
