import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { videoWatermark } from "#lib/operations/pipeline/video-watermark/index.ts";
import { expectHealthyService } from "#tests/hostile/stale-files.ts";
import { makeOperationSamples } from "#tests/samples/catalogue-samples.ts";
import { createClient } from "#tests/service/http/client.ts";
import { until } from "#tests/service/stack.ts";
import {
  lastMonth,
  moveToLastMonth,
  readUsageRows,
  setUsage,
  thisMonth,
} from "#tests/service/usage.ts";

const text = { bytes: "x".repeat(1000), filename: "a.txt" };
const [, port = 0] = inject("host").sparePorts;
const hostUrl = `http://127.0.0.1:${port}`;

/** Sends the second half of the response. `/held` declares 1,000 bytes and first sends only 500. */
let sendRest = () => {};
const host = createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/plain", "content-length": 1000 });
  const { bytes } = text;
  if (request.url === "/whole") return void response.end(bytes);
  response.write(bytes.slice(500));
  sendRest = () => void response.end(bytes.slice(500));
});

beforeAll(() => once(host.listen(port, "127.0.0.1"), "listening"));
afterAll(async () => {
  host.close();
  await expectHealthyService();
});

/** A job whose input is being fetched and whose bytes are reserved. */
async function startHeldJob(client: Awaited<ReturnType<typeof createClient>>): Promise<Job> {
  const response = await client.postJson("/v1/pipeline/file-inspect", { input: `${hostUrl}/held` });
  await until(async () => (await readUsageRows(client.email)).at(-1)?.reserved === 1000, 30_000);
  return (await response.json()) as Job;
}

describe("bytes of the plan", () => {
  it("are released to the byte by jobs that fail or are cancelled", async () => {
    const client = await createClient("pro");
    await setUsage(client.email, 25e9 - 1000);
    const failed = await client.runUrl("image/sharpen", `${hostUrl}/whole`);
    expect(failed).toMatchObject({ status: "failed", error_code: "unsupported_type" });
    const held = await startHeldJob(client);
    const rejected = await client.postForm("/v1/pipeline/file-inspect", { file: text });
    expect(rejected.headers.get("x-error-code")).toBe("usage_limit_reached");
    expect((await client.request(`/v1/jobs/${held.id}/cancel`, { method: "POST" })).status).toBe(
      200,
    );
    await until(async () => (await readUsageRows(client.email)).at(-1)?.reserved === 0, 30_000);
    expect((await client.run("pipeline/file-inspect", text)).status).toBe("completed");
    const row = { period: thisMonth(), used: 25e9, reserved: 0, jobs: 3 };
    expect(await readUsageRows(client.email)).toEqual([row]);
  });

  it("are not exceeded by a file whose size is unknown before the fetch", async () => {
    const client = await createClient("pro");
    await setUsage(client.email, 25e9 - 999);
    const job = await client.runUrl("pipeline/file-inspect", `${hostUrl}/whole`);
    expect(job).toMatchObject({ status: "failed", error_code: "usage_limit_reached", outputs: [] });
    const row = { period: thisMonth(), used: 25e9 - 999, reserved: 0, jobs: 1 };
    expect(await readUsageRows(client.email)).toEqual([row]);
  });

  it("include every input file of a job", async () => {
    const client = await createClient("pro");
    const { input, files } = await makeOperationSamples(videoWatermark);
    const video = await readFile(input.path);
    const watermark = await readFile(files.watermark?.path ?? "");
    const job = await client.run(
      "pipeline/video-watermark",
      { bytes: video, filename: "video.mp4" },
      { watermark: { bytes: watermark, filename: "mark.png" } },
    );
    expect(job.status).toBe("completed");
    const [row] = await readUsageRows(client.email);
    expect(row).toMatchObject({ used: video.length + watermark.length, reserved: 0, jobs: 1 });
  });

  it.each([
    ["that completes", "completed", 1000],
    ["that is cancelled", "cancelled", 0],
  ])(
    "of a job %s after the end of the month count in the month that accepted it",
    async (_name, status, used) => {
      const client = await createClient("pro");
      const job = await startHeldJob(client);
      await moveToLastMonth(job.id);
      if (status === "completed") sendRest();
      else await client.request(`/v1/jobs/${job.id}/cancel`, { method: "POST" });
      const end = await client.finish(Response.json(job, { status: 202 }));
      expect(end.status).toBe(status);
      expect(await readUsageRows(client.email)).toEqual([
        { period: lastMonth(), used, reserved: 0, jobs: 1 },
        { period: thisMonth(), used: 0, reserved: 0, jobs: 0 },
      ]);
    },
  );
});
