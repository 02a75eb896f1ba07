import { describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { Client, createClient } from "#tests/service/http/client.ts";

const client = new Client();
const html = { bytes: "<h1>Hello</h1>", filename: "hello.html" };

/** A job that runs until it is stopped: the host sends its input slowly and never ends. */
async function startEndlessJob(owner = client): Promise<Job> {
  const response = await owner.postJson("/v1/pipeline/file-inspect", {
    input: `${inject("host").url}/drip`,
  });
  return (await response.json()) as Job;
}

async function post(path: string, owner = client): Promise<{ status: number; body: Job }> {
  const response = await owner.request(path, { method: "POST" });
  return { status: response.status, body: (await response.json()) as Job };
}

describe("cancel", () => {
  it("ends a running job permanently and releases its bytes", async () => {
    const owner = await createClient();
    const job = await startEndlessJob(owner);
    const cancelled = await post(`/v1/jobs/${job.id}/cancel`, owner);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, "cancelled"]);
    expect((await post(`/v1/jobs/${job.id}/cancel`, owner)).status).toBe(409);
    const later = (await (await owner.request(`/v1/jobs/${job.id}`)).json()) as Job;
    expect(later).toMatchObject({
      status: "cancelled",
      outputs: [],
      completed_at: expect.any(String),
    });
    const usage = await (await owner.request("/v1/usage")).json();
    expect(usage).toMatchObject({ gb_used: 0, total_jobs: 1 });
  });

  it("returns 409 for a job that has ended and 404 for a job that does not exist", async () => {
    const job = await client.run("pipeline/file-inspect", html);
    expect((await post(`/v1/jobs/${job.id}/cancel`)).status).toBe(409);
    expect((await post(`/v1/jobs/job_${"0".repeat(24)}/cancel`)).status).toBe(404);
  });

  it("at the same time as the job's end leaves one final state, 80 times", async () => {
    const owner = await createClient();
    const race = async (attempt: number) => {
      const response = await owner.postForm("/v1/pipeline/file-inspect", { file: html });
      const { id } = (await response.json()) as Job;
      await new Promise((resolve) => setTimeout(resolve, (attempt % 40) * 2));
      const { status } = await post(`/v1/jobs/${id}/cancel`, owner);
      const end = (await (await owner.request(`/v1/jobs/${id}?wait=20`)).json()) as Job;
      expect(end.status).toBe(status === 200 ? "cancelled" : "completed");
    };
    const runSeries = async (first: number) => {
      for (let round = first; round < 80; round += 5) await race(round);
    };
    await Promise.all([0, 1, 2, 3, 4].map(runSeries));
    const completed = await owner.request("/v1/jobs?status=completed&limit=1");
    const usage = (await (await owner.request("/v1/usage")).json()) as { gb_used: number };
    const bytes = Number(completed.headers.get("x-total-count")) * html.bytes.length;
    expect(Math.round(usage.gb_used * 1e9)).toBe(bytes);
  });
});

describe("retry", () => {
  it("creates a new job with the same input and parameters", async () => {
    const failed = await client.run(
      "image/sharpen",
      { bytes: brokenPng, filename: "broken.png" },
      { sigma: "2" },
    );
    expect(failed.status).toBe("failed");
    const { status, body } = await post(`/v1/jobs/${failed.id}/retry`);
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: "pending", params: { sigma: 2 }, input: failed.input });
    expect(body.id).not.toBe(failed.id);
    const end = await client.finish(Response.json(body, { status: 202 }));
    expect(end).toMatchObject({ status: "failed", error_code: failed.error_code });
  });

  it("waits for the end of the job if the client prefers that, and creates one job for each key", async () => {
    const owner = await createClient();
    const broken = { bytes: brokenPng, filename: "broken.png" };
    const failed = await owner.run("image/sharpen", broken);
    const other = await owner.run("image/sharpen", broken);
    const headers = { prefer: "wait=30", "idempotency-key": "again" };
    const retry = ({ id }: Job) =>
      owner.request(`/v1/jobs/${id}/retry`, { method: "POST", headers });
    const first = await retry(failed);
    expect([first.status, first.headers.get("preference-applied")]).toEqual([200, "wait"]);
    const job = (await first.json()) as Job;
    expect(job.status).toBe("failed");
    const again = await retry(failed);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(await again.json()).toEqual(job);
    expect((await retry(other)).headers.get("x-error-code")).toBe("idempotency_conflict");
    expect((await owner.request("/v1/jobs")).headers.get("x-total-count")).toBe("3");
  });

  it("returns 409 for a job that did not fail, and 410 once the input is deleted", async () => {
    const completed = await client.run("pipeline/file-inspect", html);
    expect((await post(`/v1/jobs/${completed.id}/retry`)).status).toBe(409);
    const failed = await client.run("image/sharpen", { bytes: brokenPng, filename: "broken.png" });
    await client.request(`/v1/jobs/${failed.id}`, { method: "DELETE" });
    expect((await post(`/v1/jobs/${failed.id}/retry`)).status).toBe(410);
  });
});

describe("delete", () => {
  it("removes the query of an input URL, so that the job cannot be retried", async () => {
    const { url } = inject("host");
    const job = await client.runUrl("image/sharpen", `${url}/none.png?token=SECRET`);
    expect(job).toMatchObject({ status: "failed", error_code: "fetch_failed" });
    const read = () =>
      withServiceDatabase((sql) => sql`select to_json(jobs) as row from jobs where id = ${job.id}`);
    expect(JSON.stringify(await read())).toContain("SECRET");
    await client.request(`/v1/jobs/${job.id}`, { method: "DELETE" });
    expect(JSON.stringify(await read())).not.toContain("SECRET");
    expect((await post(`/v1/jobs/${job.id}/retry`)).status).toBe(410);
  });

  it("deletes the files at once and keeps the record", async () => {
    const job = await client.run("document/html-to-pdf", html);
    const url = job.outputs[0]?.url ?? "";
    const remove = () => client.request(`/v1/jobs/${job.id}`, { method: "DELETE" });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(204);
    expect((await client.request(`/v1/jobs/${job.id}/output`)).status).toBe(410);
    expect((await fetch(url)).status).toBe(410);
    expect(await (await client.request(`/v1/jobs/${job.id}`)).json()).toMatchObject({
      status: "completed",
      outputs: [],
    });
  });

  it("returns 409 while the job runs", async () => {
    const job = await startEndlessJob();
    expect((await client.request(`/v1/jobs/${job.id}`, { method: "DELETE" })).status).toBe(409);
    await post(`/v1/jobs/${job.id}/cancel`);
  });
});

describe("events", () => {
  it("report the job on connect and at its end, then the stream ends", async () => {
    const response = await client.postForm("/v1/document/html-to-pdf", { file: html });
    const { id } = (await response.json()) as Job;
    const stream = await client.request(`/v1/jobs/${id}/events`);
    expect(stream.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const states = [...(await stream.text()).matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => (JSON.parse(data ?? "") as Job).status,
    );
    expect(states.at(-1)).toBe("completed");
    expect(states).toEqual(
      states.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)),
    );
  });

  it("and a long poll report the end of a slow job", async () => {
    const input = `${inject("host").url}/slow`;
    const job = (await (
      await client.postJson("/v1/pipeline/file-inspect", { input })
    ).json()) as Job;
    const [polled, streamed] = await Promise.all([
      client.request(`/v1/jobs/${job.id}?wait=30`),
      client.request(`/v1/jobs/${job.id}/events`),
    ]);
    expect(await polled.json()).toMatchObject({ status: "completed" });
    expect(await streamed.text()).toMatch(/"status":"completed"[^\n]*\n\n$/);
  });

  it("and a long poll never miss the end of jobs that take a few milliseconds", async () => {
    for (let round = 0; round < 20; round++) {
      const response = await client.postForm("/v1/pipeline/file-inspect", { file: html });
      const { id } = (await response.json()) as Job;
      const [polled, streamed] = await Promise.all([
        client.request(`/v1/jobs/${id}?wait=30`).then((reply) => reply.json()),
        client.request(`/v1/jobs/${id}/events`).then((reply) => reply.text()),
      ]);
      expect(polled).toMatchObject({ id, status: "completed" });
      expect(streamed).toMatch(/"status":"completed"[^\n]*\n\n$/);
    }
  });

  it("of a job that has ended contain only its final state", async () => {
    const job = await client.run("pipeline/file-inspect", html);
    const text = await (await client.request(`/v1/jobs/${job.id}/events`)).text();
    expect(text.match(/^data: /gm)).toHaveLength(1);
  });
});

const order = ["pending", "processing", "completed"];

/** A PNG with a valid header and no image data. */
const brokenPng = Buffer.from(
  "89504e470d0a1a0a0000000d4948445200000010000000100802000000909168360000000449444154ffffffff",
  "hex",
);
