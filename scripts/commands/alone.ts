import type { Env } from "#lib/env.ts";
import { buildIfChanged } from "#lib/supervisor/build.ts";
import { keepSecret, makeDataFolder } from "#lib/supervisor/data-folder.ts";
import { readEnvironment, readSandbox } from "#lib/supervisor/environment.ts";
import { checkListenAddress } from "#lib/supervisor/listen-address.ts";
import { findRunningDatabase } from "#lib/supervisor/running-database.ts";
import { StartError } from "#lib/supervisor/start-error.ts";
import { fastStart } from "../setup/node24.mjs";
import { runProgram } from "./program.ts";

/** One part by itself: for several machines, or one more runner beside `npm start`. */

/** `npm run web`. */
export async function runWeb(): Promise<void> {
  const env = await readEnvironment();
  makeDataFolder(env.DATA_DIR);
  const port = String(await checkListenAddress(env.PORT, env.HOST));
  await buildIfChanged();
  await runAlone(["scripts/web.ts"], { ...(await prepare(env, "web")), PORT: port });
}

/** `npm run runner -- media` and `npm run runner -- webhooks`. */
export async function runRunner([kind = ""]: readonly string[]): Promise<void> {
  if (kind !== "media" && kind !== "webhooks") {
    throw new StartError("Usage: npm run runner -- media, or npm run runner -- webhooks");
  }
  const env = await readEnvironment();
  makeDataFolder(env.DATA_DIR);
  if (kind === "media") await readSandbox();
  await runAlone([...fastStart, "scripts/runner.ts", kind], await prepare(env, kind));
}

async function runAlone(args: readonly string[], variables: NodeJS.ProcessEnv): Promise<void> {
  const migration = await runProgram(
    [...fastStart, "lib/supervisor/prepare.ts", "only"],
    variables,
  );
  process.exit(migration === 0 ? await runProgram(args, variables) : migration);
}

/** What the supervisor gives a part. */
async function prepare(env: Env, part: string): Promise<NodeJS.ProcessEnv> {
  const url = env.DATABASE_URL ?? (await findRunningDatabase(env.DATA_DIR));
  if (!url) {
    throw new StartError(
      "DATABASE_URL: must be set for a part that runs alone, unless npm start runs on the same DATA_DIR",
    );
  }
  return {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    MEDIAMILL_PART: part,
    DATABASE_URL: url,
    DATA_DIR: env.DATA_DIR,
    SECRET: env.SECRET ?? keepSecret(env.DATA_DIR),
  };
}
