import { createAccount } from "#lib/auth/accounts.ts";
import { createApiKey, maxActiveKeys, type NewApiKey } from "#lib/auth/api-keys.ts";
import { sendPasswordChanged } from "#lib/auth/emails/password-changed.ts";
import { replacePassword } from "#lib/auth/replace-password.ts";
import { db, transaction } from "#lib/db/client.ts";
import {
  type Account,
  setAccountPlan,
  setAccountRole,
  setAccountSuspended,
} from "#lib/db/queries/accounts/accounts.ts";
import { countActiveKeys, findApiKey, revokeApiKey } from "#lib/db/queries/accounts/api-keys.ts";
import { deleteSessions } from "#lib/db/queries/accounts/sessions.ts";
import type { AccountRole } from "#lib/db/schema/accounts.ts";
import { cancelAllJobs } from "#lib/jobs/actions/close-account.ts";
import type { OfferedPlanName } from "#lib/plans.ts";
import { type Operator, OperatorError } from "../operator.ts";
import { recordAct } from "../record.ts";

/**
 * What an operator can do to an account, in the console and with the admin command. Each act is
 * recorded. They throw `OperatorError` if the act is not possible.
 */

/** Creates an account with its first key. Without a password it can only sign in with a provider. */
export function createAccountFor(
  operator: Operator,
  values: { readonly email: string; readonly plan: OfferedPlanName; readonly password?: string },
): Promise<{ readonly account: Account; readonly apiKey: string }> {
  return transaction(async (tx) => {
    const account = await createAccount(values, tx);
    if (!account) {
      const message = `An account with the email address ${values.email} already exists.`;
      throw new OperatorError(message);
    }
    const { apiKey } = await createApiKey(account.id, { name: "First key" }, tx);
    await recordAct(tx, operator, {
      action: "account.create",
      account,
      after: { plan: account.plan },
    });
    return { account, apiKey };
  });
}

export function setPlan(
  operator: Operator,
  account: Account,
  plan: OfferedPlanName,
): Promise<void> {
  return transaction(async (tx) => {
    await setAccountPlan(tx, account.id, plan);
    const before = { plan: account.plan };
    const after = { plan };
    await recordAct(tx, operator, { action: "account.set_plan", account, before, after });
  });
}

/**
 * Ends all sessions of the account and revokes all its API keys: an operator sets a password when the owner has
 * lost it or someone else knows it. The owner gets an email if this installation sends any.
 */
export async function setPassword(
  operator: Operator,
  account: Account,
  password: string,
): Promise<void> {
  const change = await transaction(async (tx) => {
    await recordAct(tx, operator, { action: "account.set_password", account });
    return replacePassword(account.id, password, { revokeKeys: true }, tx);
  });
  await sendPasswordChanged(account.id, change);
}

/** An operator does not lose the role by an own act, so that one always remains. */
export async function setRole(
  operator: Operator,
  account: Account,
  role: AccountRole,
): Promise<void> {
  if (operator.accountId === account.id) {
    throw new OperatorError("You cannot change your own role. Ask another operator.");
  }
  if (role === "operator" && account.suspendedAt) {
    throw new OperatorError("Restore the account before you make it an operator.");
  }
  await transaction(async (tx) => {
    await setAccountRole(tx, account.id, role);
    const before = { role: account.role };
    const after = { role };
    await recordAct(tx, operator, { action: "account.set_role", account, before, after });
  });
}

/** Refuses the account's keys and sign-ins, ends its sessions and cancels its unfinished jobs. */
export async function suspendAccount(operator: Operator, account: Account): Promise<void> {
  if (account.role === "operator") {
    throw new OperatorError("An operator cannot be suspended. Change the role first.");
  }
  if (account.suspendedAt) throw new OperatorError("The account is already suspended.");
  await transaction(async (tx) => {
    await setAccountSuspended(tx, account.id, true);
    await deleteSessions(tx, account.id);
    const before = { suspended: false };
    const after = { suspended: true };
    await recordAct(tx, operator, { action: "account.suspend", account, before, after });
  });
  await cancelAllJobs(account.id);
}

export async function restoreAccount(operator: Operator, account: Account): Promise<void> {
  if (!account.suspendedAt) throw new OperatorError("The account is not suspended.");
  await transaction(async (tx) => {
    await setAccountSuspended(tx, account.id, false);
    const before = { suspended: true };
    const after = { suspended: false };
    await recordAct(tx, operator, { action: "account.restore", account, before, after });
  });
}

/** Creates a key of the account. The key itself is shown once and not recorded. */
export async function createKeyFor(
  operator: Operator,
  account: Account,
  name?: string,
): Promise<NewApiKey> {
  if ((await countActiveKeys(db(), account.id)) >= maxActiveKeys) {
    const message = `An account has at most ${maxActiveKeys} valid keys. Revoke one first.`;
    throw new OperatorError(message);
  }
  return transaction(async (tx) => {
    const created = await createApiKey(account.id, name ? { name } : {}, tx);
    const subjectId = created.keyId;
    await recordAct(tx, operator, { action: "key.create", account, subjectId });
    return created;
  });
}

export async function revokeKeyOf(operator: Operator, keyId: string): Promise<void> {
  await transaction(async (tx) => {
    const found = await findApiKey(tx, keyId);
    if (!found || !(await revokeApiKey(tx, keyId))) {
      throw new OperatorError("There is no active key with this id.");
    }
    const { account } = found;
    const before = { revoked: false };
    const after = { revoked: true };
    await recordAct(tx, operator, {
      action: "key.revoke",
      account,
      subjectId: keyId,
      before,
      after,
    });
  });
}

/** The secret that signs the account's webhooks. Only for the admin command: the console shows no secrets. */
export async function readWebhookSecret(operator: Operator, account: Account): Promise<string> {
  await recordAct(db(), operator, { action: "account.read_webhook_secret", account });
  return account.webhookSecret;
}
