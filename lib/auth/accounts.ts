import { db, type Queryable } from "#lib/db/client.ts";
import { type Account, insertAccount } from "#lib/db/queries/accounts/accounts.ts";
import type { AccountRole } from "#lib/db/schema/accounts.ts";
import { createId } from "#lib/ids.ts";
import type { PlanName } from "#lib/plans.ts";
import { generateWebhookSecret } from "#lib/webhooks/secret.ts";
import { readNewAccountPlan } from "./new-account-plan.ts";
import { hashPassword } from "./passwords.ts";

/** Creates an account. Returns undefined if one exists with this email address. */
export async function createAccount(
  values: {
    email: string;
    /** Default: the plan of new accounts. */
    plan?: PlanName;
    role?: AccountRole;
    password?: string;
    /** The password is generated and must be replaced after the first sign-in. */
    mustSetPassword?: boolean;
    /** No one has shown yet that the email address is theirs. */
    mustConfirmEmail?: boolean;
  },
  tx: Queryable = db(),
): Promise<Account | undefined> {
  return insertAccount(tx, {
    id: createId("acc"),
    email: values.email.toLowerCase(),
    plan: values.plan ?? (await readNewAccountPlan(tx)),
    role: values.role ?? "user",
    passwordHash: values.password === undefined ? null : await hashPassword(values.password),
    mustSetPassword: values.mustSetPassword ?? false,
    mustConfirmEmail: values.mustConfirmEmail ?? false,
    webhookSecret: generateWebhookSecret(),
  });
}
