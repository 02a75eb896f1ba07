import { mayServe, type Tenant } from "./tenant.ts";

/** The place of one process in a pool. */
export interface PoolSlot<Process> {
  process: Promise<Process> | undefined;
  /** Jobs that the process has served. */
  uses: number;
  /** The last tenant that the process has served; undefined before its first job. */
  tenant: Tenant | undefined;
  /** When a job last used it, or it was started ahead of jobs; `performance.now()`. */
  usedAt: number;
}

/**
 * How well an idle slot suits a job of `tenant`, larger is better. A process of the same tenant is
 * best, then a fresh one. One of all accounts would be of no use to them after another tenant. The
 * last choice is a process that must be replaced, and was of use to its tenant.
 */
export function suitability(slot: PoolSlot<unknown>, tenant: Tenant): number {
  if (!slot.process) return 1;
  if (slot.tenant === tenant) return 4;
  if (slot.tenant === undefined) return 3;
  return mayServe(slot.tenant, tenant) ? 2 : 0;
}
