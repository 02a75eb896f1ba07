import type { InputHost, Service } from "#tests/service/service.ts";

/** The environment variable with the service's location, from the global setup to the workers. */
export const serviceVariable = "MEDIAMILL_BROWSER_TESTS";

/** The service that all browser tests share, and the host that it is allowed to fetch from. */
export function runningService(): { readonly service: Service; readonly host: InputHost } {
  const value = process.env[serviceVariable];
  if (value === undefined) throw new Error(`${serviceVariable} is not set`);
  return JSON.parse(value);
}
