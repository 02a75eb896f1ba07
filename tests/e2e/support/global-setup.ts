import { startService } from "#tests/service/service.ts";
import { serviceVariable } from "./running-service.ts";

/**
 * Starts one service for all browser tests. Workers find it in an environment variable. If the
 * variable is already set, as when you write a test, that service is used.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (process.env[serviceVariable]) return async () => {};
  const { service, host, stop } = await startService();
  process.env[serviceVariable] = JSON.stringify({ service, host });
  return stop;
}
