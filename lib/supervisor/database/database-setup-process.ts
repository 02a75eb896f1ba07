import { once } from "node:events";
import { watchParent } from "#lib/setup/watch-parent.mjs";

/**
 * The process that `DatabaseSetup` starts. On the first message it migrates the database, on the second it
 * creates the first account. A separate process, because the supervisor must not depend on the database.
 * With the argument `migrate-only` it migrates without a message and exits.
 */
const stopWatching = watchParent(() => process.exit(1));
const { disconnect } = await import("#lib/db/client.ts");
const { sessionUrl } = await import("#lib/db/connection.ts");
const { migrateDatabase } = await import("#lib/db/migrate.ts");
const { createFirstAccount } = await import("#lib/auth/first-account.ts");
const isSupervised = process.argv[2] !== "migrate-only";
try {
  if (isSupervised) await once(process, "message");
  const isNewDatabase = await migrateDatabase(sessionUrl());
  if (isSupervised) {
    process.send?.({ type: "migrated" });
    await once(process, "message");
    const account = await createFirstAccount({ isNewDatabase });
    process.send?.({ type: "account", account });
  }
} catch (error) {
  process.stderr.write(`The database cannot be used: ${shortMessage(error)}\n`);
  process.exitCode = 1;
}
await disconnect();
stopWatching();
process.disconnect?.();

/** One line. A failed statement has its reason in `cause`, a failed connection in `code`. */
function shortMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause) return shortMessage(error.cause);
  const code = "code" in error ? ` (${error.code})` : "";
  return `${error.message.split("\n")[0]}${code}`;
}
