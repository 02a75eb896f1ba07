import { afterAll } from "vitest";
import { InngestServer } from "./server.ts";

/** An Inngest server for each test file; its variables are set before project code is loaded. */
export const inngest = await InngestServer.start();
// In proportion to the leases of `shortTimes`.
inngest.gateway.leaseMs = 6000;
inngest.executor.itemLeaseMs = 1500;
Object.assign(process.env, inngest.variables);

afterAll(() => inngest.close());
