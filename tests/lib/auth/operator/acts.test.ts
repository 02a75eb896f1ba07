import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { authenticate } from "#lib/api/http/callers/authenticate.ts";
import { createAccount } from "#lib/auth/accounts.ts";
import { authenticateKey, createApiKey } from "#lib/auth/api-keys.ts";
import { checkPassword } from "#lib/auth/check-password.ts";
import { startSession } from "#lib/auth/next-auth/start-session.ts";
import { db } from "#lib/db/client.ts";
import { type Account, findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { findSession } from "#lib/db/queries/accounts/sessions.ts";
import { findAccountSummary, searchAccounts } from "#lib/db/queries/operator/accounts.ts";
import { deleteOldOperatorActs, listOperatorActs } from "#lib/db/queries/operator/acts.ts";
import {
  createAccountFor,
  createKeyFor,
  readWebhookSecret,
  restoreAccount,
  revokeKeyOf,
  setPassword,
  setPlan,
  setRole,
  suspendAccount,
} from "#lib/operator/acts/accounts.ts";
import { commandLineOperator, type Operator } from "#lib/operator/operator.ts";

const operator: Operator = {
  name: "operator@example.com",
  accountId: "acc_operator",
  address: "203.0.113.9",
};
const caller = { address: "198.51.100.7", userAgent: "a browser" };
let count = 0;

async function createUser(): Promise<Account> {
  const account = await createAccount({ email: `user-${++count}@operator.example` });
  if (!account) throw new Error("the account exists already");
  return account;
}

/** The account as it is now. */
async function reload({ id }: Account): Promise<Account> {
  const account = await findAccount(db(), id);
  if (!account) throw new Error("the account is gone");
  return account;
}

const actsOn = ({ id: accountId }: Account) => listOperatorActs(db(), { accountId, limit: 50 });

it("records who changed what, when, from where, without secrets", async () => {
  const user = await createUser();
  await setPlan(operator, user, "business");
  await setPassword(operator, user, "a secret passphrase");
  const { keyId, apiKey } = await createKeyFor(operator, user, "CI");
  await revokeKeyOf(commandLineOperator(), keyId);
  await readWebhookSecret(commandLineOperator(), user);
  await setRole(operator, user, "operator");
  const acts = (await actsOn(user)).toReversed();
  expect(acts.map(({ action }) => action)).toEqual([
    "account.set_plan",
    "account.set_password",
    "key.create",
    "key.revoke",
    "account.read_webhook_secret",
    "account.set_role",
  ]);
  expect(acts[0]).toMatchObject({
    actor: operator.name,
    actorId: operator.accountId,
    address: operator.address,
    accountEmail: user.email,
    before: { plan: "free" },
    after: { plan: "business" },
  });
  expect(acts[3]).toMatchObject({ actorId: null, subjectId: keyId });
  expect(acts[3]?.actor).toMatch(/^command line \(.+\)$/);
  const text = JSON.stringify(acts);
  for (const secret of ["passphrase", apiKey, user.webhookSecret])
    expect(text).not.toContain(secret);
  expect(await reload(user)).toMatchObject({ plan: "business", role: "operator" });
  expect(await authenticateKey(apiKey)).toBeUndefined();
});

it("refuses keys, sessions and sign-ins of a suspended account until it is restored", async () => {
  const email = `suspended-${++count}@operator.example`;
  const password = "seven violet lamps";
  const { account, apiKey } = await createAccountFor(operator, { email, plan: "free", password });
  const from = { ...caller, sessionId: undefined, knownBrowser: undefined };
  const session = await startSession(account.id, "password", from);
  await suspendAccount(operator, account);
  const request = new Request("http://localhost/v1/usage", { headers: { "X-API-Key": apiKey } });
  await expect(authenticate(request)).rejects.toMatchObject({ code: "forbidden", status: 403 });
  await expect(authenticate(request)).rejects.toThrow("This account is suspended.");
  expect(await findSession(db(), session)).toBeUndefined();
  expect((await checkPassword(email, password, from))?.suspendedAt).toBeInstanceOf(Date);
  await expect(suspendAccount(operator, await reload(account))).rejects.toThrow(
    "already suspended",
  );
  await restoreAccount(operator, await reload(account));
  expect((await authenticate(request)).account.id).toBe(account.id);
  await expect(restoreAccount(operator, await reload(account))).rejects.toThrow("not suspended");
});

it("keeps an operator from removing the own role and from suspending an operator", async () => {
  const user = await createUser();
  const self = { ...operator, accountId: user.id };
  await setRole(operator, user, "operator");
  await expect(setRole(self, await reload(user), "user")).rejects.toThrow("your own role");
  await expect(suspendAccount(operator, await reload(user))).rejects.toThrow("Change the role");
  expect((await actsOn(user)).map(({ action }) => action)).toEqual(["account.set_role"]);
});

it("finds accounts by part of the email address or by id, with their last use", async () => {
  const user = await createUser();
  const { apiKey } = await createApiKey(user.id);
  await authenticateKey(apiKey);
  const found = await searchAccounts(db(), { search: user.email.slice(2, 12), limit: 50 });
  expect(found.map(({ id }) => id)).toContain(user.id);
  expect((await searchAccounts(db(), { search: user.id, limit: 5 }))[0]?.email).toBe(user.email);
  expect(await searchAccounts(db(), { search: "%_%", limit: 5 })).toEqual([]);
  const summary = await findAccountSummary(db(), user.id);
  expect(summary?.recentJobs).toBe(0);
  expect(Date.now() - Number(summary?.lastActiveAt)).toBeLessThan(60_000);
  expect(Object.keys(summary ?? {}).join()).not.toMatch(/secret|hash|password/i);
});

it("deletes acts after a year", async () => {
  const user = await createUser();
  await setPlan(operator, user, "pro");
  await setPlan(operator, await reload(user), "free");
  const [, first] = await actsOn(user);
  await db().execute(
    sql`update operator_acts set created_at = now() - interval '366 days' where id = ${first?.id}`,
  );
  await deleteOldOperatorActs(db());
  expect(await actsOn(user)).toHaveLength(1);
});
