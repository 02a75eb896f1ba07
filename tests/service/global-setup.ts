import type { TestProject } from "vitest/node";
import { addOutsideErrors } from "#scripts/commands/test/outside-errors-reporter.ts";
import { type InputHost, type Service, startService } from "./service.ts";

declare module "vitest" {
  export interface ProvidedContext {
    service: Service;
    host: InputHost;
  }
}

/** Starts one service for all API tests, and a file host that it may fetch from. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { service, host, stop } = await startService();
  project.provide("service", service);
  project.provide("host", host);
  return async () => {
    try {
      await stop();
    } catch (error) {
      addOutsideErrors([String(error)]);
      throw error;
    }
  };
}
