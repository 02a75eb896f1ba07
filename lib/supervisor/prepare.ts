import { once } from "node:events";
import { watchParent } from "#scripts/setup/parent.mjs";

/**
 * A process of the supervisor's that needs the database: on each message it does the next thing, first
 * the migrations, then the first account. Alone, because the supervisor itself must not depend on the
 * database. With `only` it migrates without being asked to, and ends.
 */
const stopWatching = watchParent(() => process.exit(1));
const { databaseUrl, disconnect } = await import("#lib/db/client.ts");
const { migrate } = await import("./migrate.ts");
const { ensureFirstAccount } = await import("#lib/auth/first-account.ts");
const guided = process.argv[2] !== "only";
try {
  if (guided) await once(process, "message");
  await migrate(databaseUrl());
  if (guided) {
    process.send?.({ type: "migrated" });
    await once(process, "message");
    const account = await ensureFirstAccount();
    process.send?.({ type: "account", account });
  }
} catch (error) {
  process.stderr.write(`The database cannot be used: ${explain(error)}\n`);
  process.exitCode = 1;
}
await disconnect();
stopWatching();
process.disconnect?.();

/** One line. A failed statement hides its reason in the cause, a failed connection in its code. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause) return explain(error.cause);
  const code = "code" in error ? ` (${error.code})` : "";
  return `${error.message.split("\n")[0]}${code}`;
}
