import type { JobRow } from "#lib/db/schema/jobs.ts";
import { sharedTenant, type Tenant } from "#lib/engines/warm/tenant.ts";
import { env } from "#lib/env.ts";

/**
 * The tenant of a job. Visitors are different people, so each of their jobs is a tenant of its own.
 * Accounts share warm engines unless `ENGINE_ISOLATION=account`.
 */
export function tenantOf({
  id,
  plan,
  accountId,
}: Pick<JobRow, "id" | "plan" | "accountId">): Tenant {
  if (plan === "visitor") return id;
  return env.ENGINE_ISOLATION === "account" ? accountId : sharedTenant;
}
