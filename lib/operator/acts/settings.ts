import { readNewAccountPlan } from "#lib/auth/new-account-plan.ts";
import { transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { saveNewAccountPlan } from "#lib/db/queries/operator/service-settings.ts";
import type { OfferedPlanName } from "#lib/plans.ts";
import type { Operator } from "../operator.ts";
import { recordAct } from "../record.ts";

/** Chooses the plan of new accounts. `account` is that of the operator. */
export function setNewAccountPlan(
  operator: Operator,
  account: Pick<Account, "id" | "email">,
  plan: OfferedPlanName,
): Promise<void> {
  return transaction(async (tx) => {
    const before = { plan: await readNewAccountPlan(tx) };
    await saveNewAccountPlan(tx, plan);
    const action = "settings.set_new_account_plan";
    await recordAct(tx, operator, { action, account, before, after: { plan } });
  });
}
