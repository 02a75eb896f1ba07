import { describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import type { JobStep } from "#lib/jobs/view/steps.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { Client, createClient } from "#tests/service/http/client.ts";
import { expectError } from "#tests/support/expect-error.ts";

const client = new Client();

const operations = [
  { type: "image/resize", params: { width: 80 } },
  { type: "image/convert", params: { format: "webp" } },
  { type: "pipeline/file-inspect" },
];

async function run(fields: Record<string, string>, list: readonly object[] = operations) {
  const bytes = await makeTestImage().jpeg().toBuffer();
  const file = { bytes, filename: "photo.jpg" };
  const form = { ...fields, file, operations: JSON.stringify(list) };
  return client.finish(await client.postForm("/v1/jobs", form));
}

async function stepsOf({ id }: Job, reader = client): Promise<JobStep[]> {
  const response = await reader.request(`/v1/jobs/${id}/steps`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { steps: JobStep[] }).steps;
}

const pathOf = (url = "") => url.replace(inject("service").url, "");

describe("a chain with keep_steps", () => {
  it("has the file that each operation handed to the next one, until its files are deleted", async () => {
    const job = await run({ keep_steps: "true" });
    expect(job.params).toMatchObject({ keep_steps: true });
    const steps = await stepsOf(job);
    expect(steps).toMatchObject([
      {
        type: "image/resize",
        params: { width: 80 },
        duration_ms: expect.any(Number),
        output: { filename: "photo-resize.jpg", content_type: "image/jpeg", width: 80 },
      },
      { type: "image/convert", output: { filename: "photo.webp", content_type: "image/webp" } },
      { type: "pipeline/file-inspect", duration_ms: expect.any(Number), output: null },
    ]);
    const { url = "", bytes } = steps[1]?.output ?? {};
    // Without a key: the URL is signed.
    const file = await fetch(url);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect((await file.arrayBuffer()).byteLength).toBe(bytes);
    expect(job.result).toMatchObject({ type: "webp", bytes, width: 80 });
    const forged = [url.replace("/step/1/", "/step/0/"), url.replace("/step/1/", "/1/"), `${url}0`];
    for (const one of forged) expect((await fetch(one)).status, one).toBe(403);
    const deleted = await client.request(`/v1/jobs/${job.id}`, { method: "DELETE" });
    expect(deleted.status).toBe(204);
    expect((await fetch(url)).status).toBe(410);
    expect((await stepsOf(job)).map(({ output }) => output)).toEqual([null, null, null]);
  });

  it("keeps them in a retried job too", async () => {
    const body = { input: `${inject("host").url}/drip`, operations, keep_steps: true };
    const job = (await (await client.postJson("/v1/jobs", body)).json()) as Job;
    await client.request(`/v1/jobs/${job.id}/cancel`, { method: "POST" });
    const retried = await client.request(`/v1/jobs/${job.id}/retry`, { method: "POST" });
    const again = (await retried.json()) as Job;
    expect([retried.status, again.params.keep_steps]).toEqual([202, true]);
    expect((await stepsOf(again)).map(({ duration_ms }) => duration_ms)).toEqual([
      null,
      null,
      null,
    ]);
    await client.request(`/v1/jobs/${again.id}/cancel`, { method: "POST" });
  });

  it("takes true and false only", async () => {
    const body = { input: "https://example.com/a.png", operations };
    for (const keep_steps of [1, "true", null, []]) {
      const response = await client.postJson("/v1/jobs", { ...body, keep_steps });
      expect(await expectError(response, "invalid_parameter")).toContain("`keep_steps`");
    }
  });
});

it("a chain without keep_steps has times only, and the parameters that were sent", async () => {
  const job = await run({});
  expect(Object.keys(job.params)).toEqual(["operations"]);
  const steps = await stepsOf(job);
  expect(steps.map(({ output }) => output)).toEqual([null, null, null]);
  for (const { duration_ms } of steps) expect(duration_ms).toBeGreaterThanOrEqual(0);
});

it("a job of one operation has one step", async () => {
  const job = await client.run("pipeline/file-inspect", { bytes: "text", filename: "a.txt" });
  expect(await stepsOf(job)).toEqual([
    {
      type: "pipeline/file-inspect",
      params: {},
      status: "completed",
      duration_ms: expect.any(Number),
      output: null,
    },
  ]);
});

it("steps of another account's job do not exist", async () => {
  const job = await run({ keep_steps: "true" });
  const other = await createClient();
  const response = await other.request(`/v1/jobs/${job.id}/steps`);
  await expectError(response, "not_found");
  const { url } = (await stepsOf(job))[0]?.output ?? {};
  expect((await other.request(pathOf(url).replace(/signature=.*/, "signature="))).status).toBe(403);
});

it.each([
  ["of a worker", { type: "image/rotate", params: { angle: 90 } }, null],
  ["of another engine", { type: "pipeline/strip-metadata" }, expect.any(Number)],
])(
  "an operation that fails after one %s is named, and the next one did not start",
  async (_, first, ms) => {
    const job = await run({}, [
      first,
      { type: "image/crop", params: { left: 5000, top: 0, width: 10, height: 10 } },
      { type: "pipeline/file-inspect" },
    ]);
    expect(job.status).toBe("failed");
    expect(job.error).toMatch(/^Operation 2, image\/crop: /);
    const steps = await stepsOf(job);
    expect(steps.map(({ status, duration_ms }) => [status, duration_ms])).toEqual([
      ["completed", ms],
      ["failed", null],
      ["not_started", null],
    ]);
  },
);
