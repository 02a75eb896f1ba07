import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LoadGenerator, type LoadPlan } from "#tests/bench/load/load.ts";
import { cpuBetween } from "#tests/bench/load/process-costs.ts";
import { planInspection } from "#tests/bench/load/small-jobs.ts";
import { type CountedStack, startCountedStack } from "#tests/bench/load/statement-counts.ts";

/** A separate service, because other tests would count too. */
let folder: string;
let counted: CountedStack;
let generator: LoadGenerator;
let inspect: Omit<LoadPlan, "clients">;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-counted-"));
  counted = await startCountedStack(folder);
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
  expect(counts.transactions).toBeLessThan(6.5);
  expect(counts.updates).toBeLessThan(6.5);
});

it("a small job needs little CPU time outside its engine", async () => {
  const jobs = 100;
  const costs: number[] = [];
  // The best of several rounds, because other programs on the same core also slow down CPU time.
  for (let round = 0; round < 3; round++) {
    const start = counted.processes.readCpu();
    await generator.send({ ...inspect, clients: 1, requests: jobs });
    await wait(300); // What a job leaves to do after its response.
    const { web, runner, postgres } = cpuBetween(start, counted.processes.readCpu(), jobs);
    costs.push(web + runner + postgres);
  }
  // Milliseconds. Twice what `npm run bench` requires.
  expect(Math.min(...costs)).toBeLessThan(30);
});
