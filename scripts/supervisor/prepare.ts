import { once } from "node:events";
import { watchParent } from "../setup/parent.mjs";

/**
 * A process of the supervisor's that needs the database: it migrates, says so, and makes the first
 * account when it is asked to. Alone, because the supervisor itself must not depend on the database.
 * With `migrate` it only does that.
 */
watchParent(() => process.exit(1));
const { databaseUrl, disconnect } = await import("#lib/db/client.ts");
const { migrate } = await import("../migrate.ts");
await migrate(databaseUrl());
if (process.argv[2] !== "migrate") {
  process.send?.({ type: "migrated" });
  await once(process, "message");
  const { ensureFirstAccount } = await import("#lib/auth/first-account.ts");
  const account = await ensureFirstAccount();
  process.send?.({ type: "account", account });
  await disconnect();
}
process.disconnect?.();
