import { readEnvironment } from "#lib/supervisor/environment.ts";
import { withDatabase } from "#lib/supervisor/running-database.ts";
import { parseCall, usage } from "../admin/arguments.ts";
import { fastStart } from "../setup/node24.mjs";
import { runProgram } from "./program.ts";

/** `npm run admin -- …`: the command runs against the configured, the running or a borrowed database. */
export async function runAdmin(args: readonly string[]): Promise<void> {
  // Before a database is opened for it.
  if (parseCall(args) === "help") return void process.stdout.write(usage());
  const env = await readEnvironment();
  const variables = { DATA_DIR: env.DATA_DIR, MEDIAMILL_PART: "admin" };
  const run = async (url: string) =>
    runProgram([...fastStart, "scripts/admin.ts", ...args], { ...variables, DATABASE_URL: url });
  const migrateAndRun = async (url: string) => {
    const migration = [...fastStart, "lib/supervisor/prepare.ts", "only"];
    const code = await runProgram(migration, { ...variables, DATABASE_URL: url });
    return code === 0 ? run(url) : code;
  };
  const code = env.DATABASE_URL
    ? await migrateAndRun(env.DATABASE_URL)
    : await withDatabase(env.DATA_DIR, { ifRunning: run, ifStopped: migrateAndRun });
  process.exit(code);
}
