import { availableParallelism } from "node:os";
import { expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { createClients } from "#tests/service/accounts.ts";
import type { ApiClient } from "#tests/service/http/api-client.ts";
import { createClient } from "#tests/service/http/client.ts";

/** Jobs that the service runs at once: one per core. */
const slots = availableParallelism();

const file = { bytes: "some text", filename: "a.txt" };
const inspect = async (client: ApiClient) => {
  const response = await client.postForm("/v1/pipeline/file-inspect", { file });
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Job; // the API's response
};

const readJob = async (client: ApiClient, id: string) =>
  (await (await client.request(`/v1/jobs/${id}`)).json()) as Job;

/** Occupies every slot with a page that waits for a script, until the returned function is called. */
async function occupyAllSlots(): Promise<() => Promise<void>> {
  const client = await createClient("enterprise");
  const page = `<script src="${inject("host").url}/hang"></script>`;
  const jobs = await Promise.all(
    Array.from({ length: slots }, async () => {
      const response = await client.postForm("/v1/document/html-to-pdf", {
        file: { bytes: page, filename: "page.html" },
      });
      return (await response.json()) as Job;
    }),
  );
  for (const { id } of jobs) {
    await expect
      .poll(async () => (await readJob(client, id)).status, { timeout: 60_000 })
      .not.toBe("pending");
  }
  return async () => {
    for (const { id } of jobs) await client.request(`/v1/jobs/${id}/cancel`, { method: "POST" });
  };
}

/** Creates `count` jobs of each client, with ten concurrent requests. */
async function fillQueue(clients: readonly ApiClient[], count: number): Promise<void> {
  const queue = clients.flatMap((client) => Array.from({ length: count }, () => client));
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let client = queue.pop(); client; client = queue.pop()) await inspect(client);
    }),
  );
}

async function listJobs(client: ApiClient): Promise<Job[]> {
  const jobs: Job[] = [];
  for (let offset = 0; ; offset += 100) {
    const response = await client.request(`/v1/jobs?limit=100&offset=${offset}`);
    const page = ((await response.json()) as { jobs: Job[] }).jobs;
    jobs.push(...page);
    if (page.length < 100) return jobs;
  }
}

/**
 * Fills the queue with `count` jobs of each of `crowd` while no job can start, then creates one job of
 * `single`. Returns how many jobs were waiting then, and how many of them started before that job.
 */
async function measureOvertaking(crowd: readonly ApiClient[], count: number, single: ApiClient) {
  const release = await occupyAllSlots();
  await fillQueue(crowd, count);
  const accepted = await inspect(single);
  await release();
  const { started_at, status } = await single.finish(
    new Response(JSON.stringify(accepted), { status: 202 }),
  );
  const others = (await Promise.all(crowd.map(listJobs))).flat();
  const isWaiting = (job: Job) => !job.started_at || job.started_at > accepted.created_at;
  const waiting = others.filter(isWaiting);
  const before = waiting.filter((job) => job.started_at && job.started_at < (started_at ?? ""));
  return { status, waiting: waiting.length, before: before.length };
}

// Runs first, because the jobs of the other test have a higher plan and take a while.
it("a business job overtakes a hundred free ones", async () => {
  const free = await createClients(10, "free");
  const [business] = await createClients(1, "business");
  if (!business) throw new Error("no account");
  const { status, waiting, before } = await measureOvertaking(free, 10, business);
  expect(status).toBe("completed");
  expect(waiting).toBeGreaterThan(60);
  // At most one job per slot, which started between the acceptance and the next claim.
  expect(before).toBeLessThanOrEqual(slots);
}, 120_000);

it("one account's 120 jobs delay another account's single job by two jobs per slot at most", async () => {
  const [many, one] = await createClients(2, "enterprise");
  if (!many || !one) throw new Error("no accounts");
  const { status, waiting, before } = await measureOvertaking([many], 120, one);
  expect(status).toBe("completed");
  expect(waiting).toBeGreaterThan(80);
  // Two consecutive jobs per slot.
  expect(before).toBeLessThanOrEqual(2 * slots);
}, 120_000);
