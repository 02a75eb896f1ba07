import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LoadGenerator, type LoadPlan } from "#tests/bench/load/load.ts";
import { planInspection } from "#tests/bench/load/small-jobs.ts";
import { type CountedStack, startCountedStack } from "#tests/bench/load/statement-counts.ts";
import { copyDatabase } from "#tests/service/database/cluster-template.ts";

/** A separate service, because other tests would count too. */
let folder: string;
let counted: CountedStack;
let generator: LoadGenerator;
let inspect: Omit<LoadPlan, "clients">;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-counted-"));
  await copyDatabase(folder);
  const unused = { MEDIA_ENGINES: "av", MEDIAMILL_PRELOAD_PAGES: "off" };
  counted = await startCountedStack(folder, unused);
  generator = await LoadGenerator.start();
  inspect = await planInspection(counted.stack);
  // Compiles the code and starts the warm engines of every slot.
  await generator.send({ ...inspect, clients: 4, requests: 200 });
});

afterAll(async () => {
  await generator?.stop();
  await counted?.stop();
  await rm(folder, { recursive: true, force: true });
});

it("an idle service and a small job need few transactions and row updates", async () => {
  const jobs = 50;
  const counts = await counted.countPerJob(jobs, () =>
    generator.send({ ...inspect, clients: 1, requests: jobs }),
  );
  // The sweep of every minute may fall into the measured seconds.
  expect(counts.idleTransactions).toBeLessThan(2.5);
  // Requests are logged, and the lease of a running job is renewed, once a second: on a busy machine, a job has more.
  const batches = 2 * counts.seconds;
  expect(counts.transactions).toBeLessThan(6.5 + batches);
  expect(counts.updates).toBeLessThan(6.5 + batches);
});
