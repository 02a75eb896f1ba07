import { aroundAll, aroundEach } from "vitest";
import { runForTenant, sharedTenant } from "#lib/engines/warm/tenant.ts";

/**
 * Engines work for tests as they do for jobs of accounts. Outside of a job, each call would get a process
 * of its own.
 */
aroundAll((runSuite) => runForTenant(sharedTenant, runSuite));
aroundEach((runTest) => runForTenant(sharedTenant, runTest));
