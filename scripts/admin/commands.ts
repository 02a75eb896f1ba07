import { createAccount } from "#lib/auth/accounts.ts";
import { createApiKey } from "#lib/auth/api-keys.ts";
import { replacePassword } from "#lib/auth/replace-password.ts";
import { db } from "#lib/db/client.ts";
import {
  type Account,
  findAccountByEmail,
  listAccounts,
  setAccountPlan,
} from "#lib/db/queries/accounts/accounts.ts";
import { listApiKeys, revokeApiKey } from "#lib/db/queries/accounts/api-keys.ts";
import { type PlanName, planNames } from "#lib/plans.ts";
import { AdminError, type CommandName } from "./arguments.ts";

type Run = (options: Readonly<Record<string, string>>) => Promise<unknown>;

/** The implementation of each command; resolves with the result to print. */
export const commands: Readonly<Record<CommandName, Run>> = {
  "account create": async (options) => {
    const email = parseEmail(options.email);
    const plan = parsePlan(options.plan ?? "free");
    // Without a password the account has no sign-in by password, only the API key.
    const password = options.password ? { password: options.password } : {};
    const account = await createAccount({ email, plan, ...password });
    if (!account)
      throw new AdminError(`An account with the email address ${email} already exists.`);
    const { apiKey } = await createApiKey(account.id, { name: "First key" });
    return { account_id: account.id, email: account.email, plan: account.plan, api_key: apiKey };
  },
  "account set-plan": async (options) => {
    const account = await requireAccount(options.email);
    const plan = parsePlan(options.plan);
    await setAccountPlan(db(), account.id, plan);
    return { account_id: account.id, email: account.email, plan };
  },
  "account set-password": async (options) => {
    const account = await requireAccount(options.email);
    await replacePassword(account.id, options.password ?? "");
    return { account_id: account.id, email: account.email };
  },
  "account list": async () =>
    (await listAccounts(db())).map((account) => ({
      account_id: account.id,
      email: account.email,
      plan: account.plan,
      created_at: account.createdAt.toISOString(),
    })),
  "key create": async (options) => {
    const account = await requireAccount(options.email);
    const name = options.name ? { name: options.name } : {};
    const { keyId, apiKey } = await createApiKey(account.id, name);
    return { key_id: keyId, api_key: apiKey };
  },
  "key revoke": async (options) => {
    if (!(await revokeApiKey(db(), options.id ?? ""))) {
      throw new AdminError("There is no active key with this id.");
    }
    return { key_id: options.id, revoked: true };
  },
  "key list": async (options) => {
    const account = await requireAccount(options.email);
    return (await listApiKeys(db(), account.id)).map((key) => ({
      key_id: key.id,
      name: key.name,
      key: `${key.prefix}…${key.lastFour}`,
      environment: key.environment,
      created_at: key.createdAt.toISOString(),
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
      expires_at: key.expiresAt?.toISOString() ?? null,
      revoked_at: key.revokedAt?.toISOString() ?? null,
    }));
  },
  "webhook-secret": async (options) => {
    const account = await requireAccount(options.email);
    return { secret: account.webhookSecret };
  },
};

async function requireAccount(email: string | undefined): Promise<Account> {
  const account = await findAccountByEmail(db(), parseEmail(email));
  if (!account) throw new AdminError(`There is no account with the email address ${email}.`);
  return account;
}

function parseEmail(email = ""): string {
  // Allows `admin@localhost`.
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new AdminError("--email must be an email address.");
  return email.toLowerCase();
}

function parsePlan(plan = ""): PlanName {
  const found = planNames.find((name) => name === plan);
  if (!found) throw new AdminError(`--plan must be one of ${planNames.join(", ")}.`);
  return found;
}
