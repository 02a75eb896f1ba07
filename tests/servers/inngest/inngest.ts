import { InngestServer } from "./server.ts";

/** The Inngest server of a test file. */
export const inngest = await InngestServer.start();
// In proportion to the leases of `shortTimes`.
inngest.gateway.leaseMs = 6000;
inngest.executor.itemLeaseMs = 1500;
