import { readEnvironment } from "../supervisor/environment.ts";
import { withDatabase } from "../supervisor/running-database.ts";
import { runProgram } from "./program.ts";

/** `npm run admin -- …`: the command runs against the configured, the running or a borrowed database. */
export async function runAdmin(args: readonly string[]): Promise<void> {
  const env = await readEnvironment();
  const run = async (url: string) => {
    const variables = { DATABASE_URL: url, DATA_DIR: env.DATA_DIR, MEDIAMILL_PART: "admin" };
    return runProgram(["scripts/admin.ts", ...args], variables);
  };
  const code = env.DATABASE_URL
    ? await run(env.DATABASE_URL)
    : await withDatabase(env.DATA_DIR, run);
  process.exit(code);
}
