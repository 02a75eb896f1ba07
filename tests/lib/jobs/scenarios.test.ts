import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { env } from "#lib/env.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { startWebhookRunner } from "#lib/jobs/runner/webhook-runner.ts";
import { jobScenarios, type QueueUnderTest } from "#tests/service/job-scenarios.ts";
import { shortTimes } from "#tests/service/jobs.ts";

const stops: (() => Promise<void>)[] = [];

const embedded: QueueUnderTest = {
  async startMedia(times) {
    const runner = await startMediaRunner({ ...shortTimes, ...times });
    stops.push(runner.stop);
    return runner;
  },
  async startWebhooks() {
    const runner = await startWebhookRunner();
    stops.push(runner.stop);
    return runner;
  },
  // No runner listens.
  losingMessages: (work) => work(),
};

const { MEDIA_CONCURRENCY } = env;

beforeEach(() => {
  Object.assign(env, { MEDIA_CONCURRENCY });
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await db().execute(sql`delete from jobs`);
});

describe("the embedded queue", () => {
  it.each(jobScenarios)("$name", ({ run }) => run(embedded));
});
