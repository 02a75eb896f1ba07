import { pingDatabase } from "#lib/db/ping.ts";
import { env } from "#lib/env.ts";
import { liveMediaRunners } from "#lib/jobs/runner/heartbeat.ts";
import { log } from "#lib/log.ts";

/** `GET /healthz`: 200 while the process lives. */
export async function answerHealth(): Promise<Response> {
  return Response.json({ status: "ok" });
}

/** How long the database may take to answer before it counts as away. */
const databaseTimeoutMs = 3000;

/** `GET /readyz`: 200 when the database answers and a media runner is alive; else 503 that says which is missing. */
export async function answerReadiness(): Promise<Response> {
  const database = await isDatabaseUp();
  const runners = database ? await liveMediaRunners() : [];
  const ready = database && runners.length > 0;
  const body = {
    status: ready ? "ready" : "unavailable",
    database: database ? "ok" : "missing",
    media_runner: runners.length > 0 ? "ok" : "missing",
    media_runners: runners.length,
    sandbox: runners[0]?.sandbox ?? env.SANDBOX,
    limits: runners[0]?.limits ?? {},
    engines: runners[0]?.engines ?? {},
  };
  return Response.json(body, {
    status: ready ? 200 : 503,
    headers: ready ? {} : { "Retry-After": "5" },
  });
}

async function isDatabaseUp(): Promise<boolean> {
  try {
    await pingDatabase(databaseTimeoutMs);
    return true;
  } catch (err) {
    log.warn({ err }, "the database does not answer");
    return false;
  }
}
