import { startService } from "#tests/service/service.ts";
import { serviceVariable } from "./running-service.ts";

/**
 * One running service for all browser tests; workers find it in their environment. Where the
 * environment names one already, as while a test is being written, it is that one.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (process.env[serviceVariable]) return async () => {};
  const { service, host, stop } = await startService();
  process.env[serviceVariable] = JSON.stringify({ service, host });
  return stop;
}
