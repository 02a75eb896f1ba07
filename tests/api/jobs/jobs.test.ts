import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { Client, createClient } from "#tests/service/http/client.ts";

const client = new Client();
const html = { bytes: "<title>t</title><h1>Hello</h1>", filename: "Grüße & more.html" };
let pageUrl = "";

beforeAll(async () => {
  const { url, folder } = inject("host");
  await writeFile(join(folder, "page.html"), "<h1>Fetched</h1>");
  pageUrl = `${url}/page.html`;
});

describe("creating", () => {
  it("returns 202 with the job as it was inserted", async () => {
    const response = await client.postForm("/v1/document/html-to-pdf", {
      file: html,
      scale: "1.5",
      landscape: "true",
      metadata: '{"order":"7"}',
    });
    const job = (await response.json()) as Job;
    expect(response.status).toBe(202);
    expect(response.headers.get("location")).toBe(`/v1/jobs/${job.id}`);
    expect(job).toMatchObject({
      id: expect.stringMatching(/^job_[0-9A-Za-z]{24}$/),
      status: "pending",
      operation: "document/html-to-pdf",
      params: { page_size: "A4", scale: 1.5, landscape: true, print_background: true },
      progress: 0,
      input: { filename: html.filename, content_type: "text/html", bytes: 30, url: null },
      outputs: [],
      result: null,
      error: null,
      error_code: null,
      metadata: { order: "7" },
      started_at: null,
      completed_at: null,
    });
    const done = await client.finish(new Response(JSON.stringify(job), { status: 202 }));
    expect(done).toMatchObject({ status: "completed", progress: 100, metadata: { order: "7" } });
    expect(done.outputs[0]).toMatchObject({
      filename: "Grüße & more.pdf",
      content_type: "application/pdf",
      pages: 1,
    });
    const times = [done.created_at, done.started_at, done.completed_at].map(String);
    expect(times).toEqual(times.toSorted());
  });

  it("returns the completed job if the client prefers to wait", async () => {
    const response = await client.postForm(
      "/v1/document/html-to-pdf",
      { file: html },
      { prefer: "wait=30" },
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("preference-applied")).toBe("wait");
    expect(await response.json()).toMatchObject({ status: "completed" });
  });

  it("shows a URL without its query values", async () => {
    const job = await client.runUrl("document/html-to-pdf", `${pageUrl}?token=secret&a=1`);
    expect(job.status).toBe("completed");
    expect(job.input).toMatchObject({
      filename: "page.html",
      bytes: 16,
      url: `${pageUrl}?token=&a=`,
    });
  });

  it("fails a job whose URL is not allowed, with one message for all URLs", async () => {
    const blockedUrls = [
      "http://127.0.0.1:1/",
      "http://localhost/",
      "http://169.254.169.254/",
      "http://no.such.name.invalid/",
    ];
    const jobs = await Promise.all(
      blockedUrls.map((url) => client.runUrl("pipeline/file-inspect", url)),
    );
    expect(new Set(jobs.map((job) => `${job.status} ${job.error_code} ${job.error}`)).size).toBe(1);
    expect(jobs[0]).toMatchObject({ status: "failed", error_code: "address_refused" });
  });

  it("fails a job whose file does not exist, and reports the status", async () => {
    const job = await client.runUrl("pipeline/file-inspect", `${inject("host").url}/nothing`);
    expect(job).toMatchObject({ status: "failed", error_code: "fetch_failed", outputs: [] });
    expect(job.error).toContain("404");
  });

  it("fails a job whose fetched file is of another type", async () => {
    const job = await client.runUrl("image/sharpen", pageUrl);
    expect(job).toMatchObject({ status: "failed", error_code: "unsupported_type" });
    expect(job.error).toMatch(/HTML.*JPEG/);
  });
});

describe("listing", () => {
  it("lists the newest first, with totals, links and filters", async () => {
    const owner = await createClient();
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      const operation = index < 2 ? "pipeline/file-inspect" : "document/html-to-pdf";
      ids.unshift((await owner.run(operation, { bytes: "<h1>x</h1>", filename: "x.html" })).id);
    }
    const page = await owner.request("/v1/jobs?limit=2&offset=2");
    const body = (await page.json()) as { jobs: Job[]; limit: number; offset: number };
    expect(body.jobs.map((job) => job.id)).toEqual(ids.slice(2, 4));
    expect([body.limit, body.offset, page.headers.get("x-total-count")]).toEqual([2, 2, "5"]);
    expect(page.headers.get("link")).toBe(
      '</v1/jobs?limit=2&offset=4>; rel="next", </v1/jobs?limit=2&offset=0>; rel="prev"',
    );
    const filtered = await owner.request(
      "/v1/jobs?operation=pipeline/file-inspect&status=completed",
    );
    expect(filtered.headers.get("x-total-count")).toBe("2");
    expect(filtered.headers.get("link")).toBeNull();
    const future = await owner.request(
      `/v1/jobs?created_after=${new Date(Date.now() + 60_000).toISOString()}`,
    );
    expect(await future.json()).toEqual({ jobs: [], limit: 20, offset: 0 });
  });
});

describe("usage", () => {
  it("is exact to the byte and does not count failed jobs", async () => {
    const user = await createClient("pro");
    await user.run("pipeline/file-inspect", { bytes: "x".repeat(12_345), filename: "a.txt" });
    await user.runUrl("document/html-to-pdf", pageUrl);
    const failed = await user
      .run("document/doc-to-pdf", { bytes: Buffer.from("PK\x03\x04 broken"), filename: "b.rtf" })
      .catch(() => undefined);
    expect(failed?.status).not.toBe("completed");
    await user.runUrl("image/sharpen", pageUrl);
    const usage = (await (await user.request("/v1/usage")).json()) as Record<string, number>;
    expect(usage).toMatchObject({ plan: "pro", gb_included: 25, total_jobs: 3 });
    expect(Math.round((usage.gb_used ?? 0) * 1e9)).toBe(12_345 + 16);
    expect(Math.round((usage.gb_remaining ?? 0) * 1e9)).toBe(25e9 - 12_345 - 16);
  });

  it("has no limits on enterprise", async () => {
    const usage = await (await client.request("/v1/usage")).json();
    expect(usage).toMatchObject({ plan: "enterprise", gb_included: null, gb_remaining: null });
  });
});
