import { AsyncLocalStorage } from "node:async_hooks";
import { createToken } from "#lib/ids.ts";

/**
 * The tenant for whom a job works: an account, a visitor, or all accounts together. It isolates
 * warm engines: a file can take over the process that reads it, and with it the files that the
 * process reads later.
 */
export type Tenant = string;

/** The tenant of all accounts if they share warm processes. Then any tenant may follow it. */
export const sharedTenant: Tenant = "shared";

const current = new AsyncLocalStorage<Tenant>();

/** Runs `work`, in which warm engines work for `tenant`. */
export function runForTenant<Result>(tenant: Tenant, work: () => Promise<Result>): Promise<Result> {
  return current.run(tenant, work);
}

const keeping = new AsyncLocalStorage<boolean>();

/** Runs `work`, whose use of engines does not keep them warm: for checks of the service by itself. */
export function runWithoutKeepingWarm<Result>(work: () => Promise<Result>): Promise<Result> {
  return keeping.run(false, work);
}

/** Whether an engine that the current job uses stays warm for the next one. */
export function keepsEnginesWarm(): boolean {
  return keeping.getStore() ?? true;
}

/** The tenant of the current job. Outside of a job, each call is a tenant of its own. */
export function currentTenant(): Tenant {
  return current.getStore() ?? createToken();
}

/**
 * Whether a process that has worked for `last` may work for `next`. `last` is undefined if it has not
 * read a file yet.
 */
export function mayServe(last: Tenant | undefined, next: Tenant): boolean {
  return last === undefined || last === next || last === sharedTenant;
}
