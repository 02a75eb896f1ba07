import { readNewAccountPlan } from "#lib/auth/new-account-plan.ts";
import { db } from "#lib/db/client.ts";
import {
  type Account,
  findAccountByEmail,
  listAccounts,
} from "#lib/db/queries/accounts/accounts.ts";
import { listApiKeys } from "#lib/db/queries/accounts/api-keys.ts";
import { accountRoles } from "#lib/db/schema/accounts.ts";
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
import { commandLineOperator, OperatorError } from "#lib/operator/operator.ts";
import { type OfferedPlanName, planNames } from "#lib/plans.ts";
import { AdminError, type CommandName } from "./arguments.ts";
import { createBackup } from "./backup/create.ts";
import { restoreBackup } from "./backup/restore.ts";
import { rotateSecret } from "./secret.ts";

type Run = (options: Readonly<Record<string, string>>) => Promise<unknown>;

/** The implementation of each command; resolves with the result to print. Each act is recorded. */
export const commands: Readonly<Record<CommandName, Run>> = {
  "account create": async (options) => {
    const email = parseEmail(options.email);
    const plan = parsePlan(options.plan ?? (await readNewAccountPlan()));
    // Without a password the account has no sign-in by password, only the API key.
    const password = options.password ? { password: options.password } : {};
    const { account, apiKey } = await act((operator) =>
      createAccountFor(operator, { email, plan, ...password }),
    );
    return { account_id: account.id, email: account.email, plan: account.plan, api_key: apiKey };
  },
  "account set-plan": async (options) => {
    const account = await requireAccount(options.email);
    const plan = parsePlan(options.plan);
    await act((operator) => setPlan(operator, account, plan));
    return { account_id: account.id, email: account.email, plan };
  },
  "account set-password": async (options) => {
    const account = await requireAccount(options.email);
    await act((operator) => setPassword(operator, account, options.password ?? ""));
    return { account_id: account.id, email: account.email };
  },
  "account set-role": async (options) => {
    const account = await requireAccount(options.email);
    const role = accountRoles.find((name) => name === options.role);
    if (!role) throw new AdminError(`--role must be one of ${accountRoles.join(", ")}.`);
    await act((operator) => setRole(operator, account, role));
    return { account_id: account.id, email: account.email, role };
  },
  "account suspend": async (options) => {
    const account = await requireAccount(options.email);
    await act((operator) => suspendAccount(operator, account));
    return { account_id: account.id, email: account.email, suspended: true };
  },
  "account restore": async (options) => {
    const account = await requireAccount(options.email);
    await act((operator) => restoreAccount(operator, account));
    return { account_id: account.id, email: account.email, suspended: false };
  },
  "account list": async () =>
    (await listAccounts(db())).map((account) => ({
      account_id: account.id,
      email: account.email,
      plan: account.plan,
      role: account.role,
      suspended: account.suspendedAt !== null,
      created_at: account.createdAt.toISOString(),
    })),
  "key create": async (options) => {
    const account = await requireAccount(options.email);
    const { keyId, apiKey } = await act((operator) =>
      createKeyFor(operator, account, options.name),
    );
    return { key_id: keyId, api_key: apiKey };
  },
  "key revoke": async (options) => {
    await act((operator) => revokeKeyOf(operator, options.id ?? ""));
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
    return { secret: await act((operator) => readWebhookSecret(operator, account)) };
  },
  "secret rotate": async () => rotateSecret(),
  "backup create": ({ file = "" }) => createBackup(file),
  "backup restore": ({ file = "" }) => restoreBackup(file),
};

/** Does `work` as the user of the command line. An act that is not possible is one line. */
async function act<Result>(
  work: (operator: ReturnType<typeof commandLineOperator>) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(commandLineOperator());
  } catch (error) {
    if (error instanceof OperatorError) throw new AdminError(error.message);
    throw error;
  }
}

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

function parsePlan(plan = ""): OfferedPlanName {
  const found = planNames.find((name) => name === plan);
  if (!found) throw new AdminError(`--plan must be one of ${planNames.join(", ")}.`);
  return found;
}
