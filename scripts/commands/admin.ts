import { withDatabase } from "#lib/supervisor/database/running-database.ts";
import { loadEnvironment } from "#lib/supervisor/start/environment.ts";
import { parseCall, usage } from "../admin/arguments.ts";
import { fastStart } from "../setup/node24.mjs";
import { runProgram } from "./run-program.ts";

/**
 * `npm run admin -- …`: runs the command against `DATABASE_URL`, the running service's database, or, if
 * the service is stopped, a temporarily started embedded database.
 */
export async function runAdmin(args: readonly string[]): Promise<void> {
  // Reports mistakes before a database is opened.
  if (parseCall(args) === "help") return void process.stdout.write(usage());
  const env = await loadEnvironment();
  const variables = { DATA_DIR: env.DATA_DIR, MEDIAMILL_SERVICE: "admin" };
  const run = async (url: string) =>
    runProgram([...fastStart, "scripts/admin.ts", ...args], { ...variables, DATABASE_URL: url });
  const migrateAndRun = async (url: string) => {
    const migration = [
      ...fastStart,
      "lib/supervisor/database/database-setup-process.ts",
      "migrate-only",
    ];
    const code = await runProgram(migration, { ...variables, DATABASE_URL: url });
    return code === 0 ? run(url) : code;
  };
  const code = env.DATABASE_URL
    ? await migrateAndRun(env.DATABASE_URL)
    : await withDatabase(env.DATA_DIR, { ifRunning: run, ifStopped: migrateAndRun });
  process.exit(code);
}
