import { fastStart } from "#lib/setup/node24.mjs";
import { withDatabase } from "#lib/supervisor/database/running-database.ts";
import { loadEnvironment } from "#lib/supervisor/start/environment.ts";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import { type CommandName, parseCall, usage } from "../admin/arguments.ts";
import { runProgram } from "./run-program.ts";

/**
 * `npm run admin -- …`: runs the command against `DATABASE_URL`, the running service's database, or, if
 * the service is stopped, a temporarily started embedded database.
 */
export async function runAdmin(args: readonly string[]): Promise<void> {
  // Reports mistakes before a database is opened.
  const call = parseCall(args);
  if (call === "help") return void process.stdout.write(usage());
  const env = await loadEnvironment();
  const variables = { DATA_DIR: env.DATA_DIR, MEDIAMILL_SERVICE: "admin" };
  const program = [...fastStart, "scripts/admin.ts", ...args];
  const run = async (url: string) => runProgram(program, { ...variables, DATABASE_URL: url });
  const migrateAndRun = async (url: string) => {
    const migration = [
      ...fastStart,
      "lib/supervisor/database/database-setup-process.ts",
      "migrate-only",
    ];
    const code = await runProgram(migration, { ...variables, DATABASE_URL: url });
    return code === 0 ? run(url) : code;
  };
  const access = accessOf(call.command);
  if (access === "none") process.exit(await runProgram(program, variables));
  const runStopped = access === "as-is" || access === "as-is-stopped" ? run : migrateAndRun;
  const runRunning = access === "as-is-stopped" ? refuseRunning : run;
  const code = env.DATABASE_URL
    ? await runStopped(env.DATABASE_URL)
    : await withDatabase(env.DATA_DIR, { ifRunning: runRunning, ifStopped: runStopped });
  process.exit(code);
}

/**
 * How a command uses the database: with the schema of this version, with the one that it has, the same but only
 * while the service is stopped, or not at all.
 */
function accessOf(command: CommandName): "migrated" | "as-is" | "as-is-stopped" | "none" {
  if (command === "secret rotate") return "none";
  if (command === "backup create") return "as-is";
  return command === "backup restore" ? "as-is-stopped" : "migrated";
}

async function refuseRunning(): Promise<never> {
  throw new StartError("The service with this DATA_DIR runs: restore into an empty DATA_DIR.");
}
