import type { Env } from "#lib/env.ts";
import { fastStart, runnerStart } from "#lib/setup/node24.mjs";
import { keepPackages } from "#lib/setup/project-lock.mjs";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { checkSandbox } from "#lib/supervisor/start/check-sandbox.ts";
import { checkStorage } from "#lib/supervisor/start/check-storage.ts";
import { createDataFolder } from "#lib/supervisor/start/data-folder.ts";
import { loadEnvironment } from "#lib/supervisor/start/environment.ts";
import { chooseListenPort } from "#lib/supervisor/start/listen-address.ts";
import { loadSecrets } from "#lib/supervisor/start/secrets.ts";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import { buildService } from "./build-service.ts";
import { runProgram } from "./run-program.ts";

/** Runs a single service: for several machines, or one more runner in addition to `npm start`. */

/** Runs the web service for `npm run web`. */
export async function runWeb(): Promise<void> {
  const env = await loadEnvironment();
  createDataFolder(env.DATA_DIR);
  await checkStorage(env);
  const port = String(await chooseListenPort(env));
  await buildService();
  const variables = { ...(await serviceVariables(env, "web")), PORT: port };
  await migrateAndRun([...fastStart, "scripts/web.ts"], variables);
}

/** Runs a runner for `npm run runner -- media` and `npm run runner -- webhooks`. */
export async function runRunner([kind = ""]: readonly string[]): Promise<void> {
  if (kind !== "media" && kind !== "webhooks") {
    throw new StartError("Usage: npm run runner -- media, or npm run runner -- webhooks");
  }
  const env = await loadEnvironment();
  createDataFolder(env.DATA_DIR);
  await checkStorage(env);
  if (kind === "media") await checkSandbox();
  // Only these: web may have to build, and without the build, workers only start more slowly.
  await keepPackages();
  await migrateAndRun(
    [...runnerStart, "scripts/runner.ts", kind],
    await serviceVariables(env, kind),
  );
}

async function migrateAndRun(args: readonly string[], variables: NodeJS.ProcessEnv): Promise<void> {
  const migration = await runProgram(
    [...fastStart, "lib/supervisor/database/database-setup-process.ts", "migrate-only"],
    variables,
  );
  process.exit(migration === 0 ? await runProgram(args, variables) : migration);
}

/** The environment that the supervisor also gives its services. */
async function serviceVariables(env: Env, service: string): Promise<NodeJS.ProcessEnv> {
  const url = env.DATABASE_URL ?? (await findRunningDatabase(env.DATA_DIR));
  if (!url) {
    throw new StartError(
      "DATABASE_URL: must be set for a single service, unless npm start runs with the same DATA_DIR",
    );
  }
  return {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    MEDIAMILL_SERVICE: service,
    DATABASE_URL: url,
    DATA_DIR: env.DATA_DIR,
    ...loadSecrets(env),
  };
}
