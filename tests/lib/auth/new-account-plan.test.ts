import { expect, it } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { defaultNewAccountPlan } from "#lib/auth/new-account-plan.ts";
import { db } from "#lib/db/client.ts";
import { listOperatorActs } from "#lib/db/queries/operator/acts.ts";
import { serviceSettings } from "#lib/db/schema/operator/service-settings.ts";
import { createId } from "#lib/ids.ts";
import { setNewAccountPlan } from "#lib/operator/acts/settings.ts";
import { makeAccount } from "#tests/service/jobs.ts";

it.each([
  ["free", "open", "http://localhost:3000", undefined],
  ["free", "closed", "https://media.example.com", undefined],
  ["enterprise", "closed", "http://localhost:3000", undefined],
  ["pro", "closed", "http://localhost:3000", "pro"],
  ["business", "open", "https://media.example.com", "business"],
] as const)(
  "is %s with sign-up %s at %s and the variable %s",
  (plan, SIGN_UP, APP_URL, variable) => {
    const settings = { SIGN_UP, APP_URL, NEW_ACCOUNT_PLAN: variable };
    expect(defaultNewAccountPlan(settings)).toBe(plan);
  },
);

it("is what an operator chose, and the choice is recorded", async () => {
  const planOfNew = async () =>
    (await createAccount({ email: `${createId("acc")}@example.com` }))?.plan;
  const boss = await makeAccount();
  const operator = { name: boss.email, accountId: boss.id, address: null };
  try {
    expect(await planOfNew()).toBe("free");
    await setNewAccountPlan(operator, boss, "pro");
    expect(await planOfNew()).toBe("pro");
    await setNewAccountPlan(operator, boss, "business");
    expect(await planOfNew()).toBe("business");
    const acts = await listOperatorActs(db(), { accountId: boss.id, limit: 10 });
    expect(acts.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["settings.set_new_account_plan", { plan: "pro" }, { plan: "business" }],
      ["settings.set_new_account_plan", { plan: "free" }, { plan: "pro" }],
    ]);
  } finally {
    await db().delete(serviceSettings);
  }
});
