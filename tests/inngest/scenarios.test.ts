import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, it } from "vitest";
import { startInngestMediaRunner } from "#inngest/media-runner.ts";
import { startInngestWebhookRunner } from "#inngest/webhook-runner.ts";
import { db } from "#lib/db/client.ts";
import { env } from "#lib/env.ts";
import type { Runner } from "#lib/jobs/runner/media-runner.ts";
import { inngest } from "#tests/servers/inngest/inngest.ts";
import { jobScenarios, type QueueUnderTest } from "#tests/service/job-scenarios.ts";
import { shortTimes } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

const stops: (() => Promise<void>)[] = [];

async function connected(starting: Promise<Runner>): Promise<Runner> {
  const runner = await starting;
  stops.push(() => runner.stop());
  await waitUntil(() => runner.isWorking());
  return runner;
}

const distributed: QueueUnderTest = {
  startMedia: (times) => connected(startInngestMediaRunner({ ...shortTimes, ...times })),
  startWebhooks: () => connected(startInngestWebhookRunner()),
  async losingMessages(work) {
    inngest.dropsEvents = true;
    return work().finally(() => {
      inngest.dropsEvents = false;
    });
  },
};

const { MEDIA_CONCURRENCY } = env;

beforeEach(() => {
  Object.assign(env, { MEDIA_CONCURRENCY });
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await db().execute(sql`delete from jobs`);
});

describe("functions under Inngest", () => {
  it.each(jobScenarios)("$name", ({ run }) => run(distributed));
});
