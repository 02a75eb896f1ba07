import type { OfferedPlanName } from "#lib/plans.ts";
import type { Queryable } from "../../client.ts";
import { serviceSettings } from "../../schema/operator/service-settings.ts";

/** The plan that an operator has chosen for new accounts; undefined if none has. */
export async function findNewAccountPlan(db: Queryable): Promise<OfferedPlanName | undefined> {
  const [row] = await db.select().from(serviceSettings).limit(1);
  return row?.newAccountPlan ?? undefined;
}

export async function saveNewAccountPlan(
  tx: Queryable,
  newAccountPlan: OfferedPlanName,
): Promise<void> {
  await tx
    .insert(serviceSettings)
    .values({ id: 1, newAccountPlan })
    .onConflictDoUpdate({ target: serviceSettings.id, set: { newAccountPlan } });
}
