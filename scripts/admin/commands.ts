import { createAccount } from "#lib/auth/accounts.ts";
import { createApiKey } from "#lib/auth/api-keys.ts";
import { replacePassword } from "#lib/auth/replace-password.ts";
import { db } from "#lib/db/client.ts";
import {
  type Account,
  findAccountByEmail,
  listAccounts,
  setAccountPlan,
} from "#lib/db/queries/accounts.ts";
import { listApiKeys, revokeApiKey } from "#lib/db/queries/api-keys.ts";
import { type PlanName, planNames } from "#lib/quotas/plans.ts";
import { showTable } from "./table.ts";

/** A mistake of the operator's; its message is the one line to print. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

export interface Command {
  readonly options: readonly string[];
  readonly required: readonly string[];
  run(options: Readonly<Record<string, string>>): Promise<unknown>;
  /** The answer for people; ends with a line break. */
  show(answer: unknown): string;
}

/** Every command by its words, as `account create`. */
export const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    "account create": command(["email"], ["plan", "password"], async (options) => {
      const email = parseEmail(options.email);
      const plan = parsePlan(options.plan ?? "free");
      // Without a password nobody signs in with it: the key is what is handed over.
      const password = options.password ? { password: options.password } : {};
      const account = await createAccount({ email, plan, ...password });
      if (!account) throw new AdminError(`There is an account ${email} already.`);
      const { apiKey } = await createApiKey(account.id, { name: "First key" });
      return { account_id: account.id, email: account.email, plan: account.plan, api_key: apiKey };
    }),
    "account set-plan": command(["email", "plan"], [], async (options) => {
      const account = await requireAccount(options.email);
      const plan = parsePlan(options.plan);
      await setAccountPlan(db(), account.id, plan);
      return { account_id: account.id, email: account.email, plan };
    }),
    "account set-password": command(["email", "password"], [], async (options) => {
      const account = await requireAccount(options.email);
      await replacePassword(account.id, options.password ?? "");
      return { account_id: account.id, email: account.email };
    }),
    "account list": command([], [], async () =>
      (await listAccounts(db())).map((account) => ({
        account_id: account.id,
        email: account.email,
        plan: account.plan,
        created_at: account.createdAt.toISOString(),
      })),
    ),
    "key create": command(["email"], ["name"], async (options) => {
      const account = await requireAccount(options.email);
      const name = options.name ? { name: options.name } : {};
      const { keyId, apiKey } = await createApiKey(account.id, name);
      return { key_id: keyId, api_key: apiKey };
    }),
    "key revoke": command(["id"], [], async (options) => {
      if (!(await revokeApiKey(db(), options.id ?? ""))) {
        throw new AdminError("There is no valid key with this id.");
      }
      return { key_id: options.id, revoked: true };
    }),
    "key list": command(["email"], [], async (options) => {
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
    }),
    "webhook-secret": command(["email"], [], async (options) => {
      const account = await requireAccount(options.email);
      return { secret: account.webhookSecret };
    }),
  }),
);

/** One line that says what there is. */
export function usage(): string {
  const lines = [...commands].map(([words, { options, required }]) =>
    [
      words,
      ...options.map((name) => (required.includes(name) ? `--${name} …` : `[--${name} …]`)),
    ].join(" "),
  );
  return `Usage: npm run admin -- ${lines.join(" | ")} [--json]`;
}

function command(
  required: readonly string[],
  optional: readonly string[],
  run: Command["run"],
): Command {
  return { required, options: [...required, ...optional], run, show: showTable };
}

async function requireAccount(email: string | undefined): Promise<Account> {
  const account = await findAccountByEmail(db(), parseEmail(email));
  if (!account) throw new AdminError(`There is no account ${email}.`);
  return account;
}

function parseEmail(email = ""): string {
  // `admin@localhost` is one too.
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new AdminError("--email must be an e-mail address.");
  return email.toLowerCase();
}

function parsePlan(plan = ""): PlanName {
  const found = planNames.find((name) => name === plan);
  if (!found) throw new AdminError(`--plan must be one of ${planNames.join(", ")}.`);
  return found;
}
