import { describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { createClient } from "#tests/service/http/client.ts";
import { setUsage } from "#tests/service/usage.ts";
import { expectError } from "#tests/support/expect-error.ts";

const html = { bytes: "<h1>Hello</h1>", filename: "hello.html" };

describe("requests per minute", () => {
  it("above the plan's limit return 429 with the time to wait; reads are not limited", async () => {
    const client = await createClient("free");
    for (let count = 1; count <= 10; count++) {
      const response = await client.postForm("/v1/pipeline/file-inspect", { file: html });
      expect(response.status).toBe(202);
      expect(response.headers.get("ratelimit-limit")).toBe("10");
      expect(response.headers.get("ratelimit-remaining")).toBe(String(10 - count));
    }
    const rejected = await client.postForm("/v1/pipeline/file-inspect", { file: html });
    expect([rejected.status, rejected.headers.get("x-error-code")]).toEqual([429, "rate_limited"]);
    const wait = Number(rejected.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    const read = await client.request("/v1/usage");
    expect([read.status, read.headers.get("ratelimit-remaining")]).toEqual([200, "0"]);
  });

  it("are counted only if they create a job or their body is rejected", async () => {
    const client = await createClient("free");
    const path = "/v1/pipeline/file-inspect";
    const key = { "idempotency-key": `limits-${process.pid}` };
    await client.postForm(path, { file: html }, key);
    const others = [
      await client.postForm(path, { file: html }, key),
      await client.postForm(path, { file: html, unknown: "1" }),
      await client.postForm("/v1/image/nothing", { file: html }),
      await client.request(`/v1/jobs/job_${"0".repeat(24)}/retry`, { method: "POST" }),
    ];
    expect(others.map((response) => response.status)).toEqual([202, 400, 404, 404]);
    expect(others.at(-1)?.headers.get("ratelimit-remaining")).toBe("8");
  });

  it("include those whose upload or JSON is rejected", async () => {
    const client = await createClient("free");
    const path = "/v1/pipeline/file-inspect";
    for (let count = 0; count < 5; count++) {
      await expectError(
        await client.postForm(path, { file: html, unknown: "1" }),
        "invalid_parameter",
      );
      await expectError(await client.postJson(path, { input: 1 }), "invalid_parameter");
    }
    await expectError(await client.postForm(path, { file: html }), "rate_limited");
  });

  it("are reported to a valid key on every path and method", async () => {
    const client = await createClient("free");
    const responses = [
      await client.request("/v1/operations"),
      await client.request("/v1/nothing/at/all"),
      await client.request("/v1/usage", { method: "PUT" }),
      await client.request("/v1/nothing", { method: "POST" }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 405, 404]);
    for (const { headers } of responses) {
      expect(headers.get("ratelimit-limit")).toBe("10");
      expect(headers.get("cache-control")).toBe("no-store");
    }
    const anonymous = await fetch(`${inject("service").url}/v1/operations`);
    expect(anonymous.headers.get("ratelimit-limit")).toBeNull();
    expect(anonymous.headers.get("cache-control")).toContain("public");
  });

  it("are not counted on an unlimited plan", async () => {
    const client = await createClient("enterprise");
    const response = await client.request("/v1/usage");
    expect(response.headers.get("ratelimit-limit")).toBeNull();
  });
});

describe("pending uploads", () => {
  it("reserve at most the plan's monthly bytes, also when created at once", async () => {
    const client = await createClient("free");
    const createUpload = () =>
      client.postJson("/v1/uploads", { filename: "a", bytes: 100_000_000 });
    const responses = await Promise.all(Array.from({ length: 14 }, createUpload));
    const accepted = responses.filter(({ status }) => status === 201);
    expect(accepted).toHaveLength(10);
    const rejected = responses.find(({ status }) => status === 429);
    expect(rejected?.headers.get("x-error-code")).toBe("usage_limit_reached");
    expect(rejected?.headers.get("retry-after")).toMatch(/^\d+$/);
    const small = await client.postJson("/v1/uploads", { filename: "a", bytes: 1 });
    expect(small.status).toBe(429);
  });
});

describe("file size", () => {
  const limit = 100_000_000;

  it("is rejected from Content-Length before a byte is read", async () => {
    const client = await createClient("free");
    const file = { bytes: Buffer.alloc(limit + 2_000_000), filename: "big.txt" };
    const response = await client.postForm("/v1/pipeline/file-inspect", { file });
    expect([response.status, response.headers.get("x-error-code")]).toEqual([413, "too_large"]);
  });

  it("is rejected while reading if no length is declared, at the first byte too many", async () => {
    const client = await createClient("free");
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
    const send = (bytes: number) =>
      client.request("/v1/pipeline/file-inspect", {
        method: "POST",
        headers: { "content-type": "multipart/form-data; boundary=b" },
        body: streamOf([Buffer.from(head), Buffer.alloc(bytes, "a"), Buffer.from("\r\n--b--\r\n")]),
        duplex: "half",
      } as RequestInit);
    const over = await send(limit + 1);
    expect([over.status, over.headers.get("x-error-code")]).toEqual([413, "too_large"]);
    expect((await send(limit)).status).toBe(202);
  });

  it("of 11 MB is received unchanged", async () => {
    const client = await createClient("free");
    const bytes = Buffer.from(
      Array.from({ length: 1_375_000 }, (_, index) => String(index % 1e8).padStart(8, "0")).join(
        "",
      ),
    );
    const job = await client.run("pipeline/file-inspect", { bytes, filename: "numbers.txt" });
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    expect(job.result).toMatchObject({
      bytes: 11_000_000,
      sha256: Buffer.from(digest).toString("hex"),
    });
  });
});

describe("monthly bytes", () => {
  it("of 200 concurrent requests near the quota exactly those that fit are accepted", async () => {
    const client = await createClient("business");
    await setUsage(client.email, 200e9 - 7 * html.bytes.length);
    const responses = await Promise.all(
      Array.from({ length: 200 }, () =>
        client.postForm("/v1/pipeline/file-inspect", { file: html }),
      ),
    );
    const accepted = responses.filter((response) => response.status === 202);
    const rejected = responses.filter(
      (response) => response.headers.get("x-error-code") === "usage_limit_reached",
    );
    expect([accepted.length, rejected.length]).toEqual([7, 193]);
    expect(Number(rejected[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    const jobs = await Promise.all(accepted.map((response) => client.finish(response)));
    expect(jobs.map((job: Job) => job.status)).toEqual(Array(7).fill("completed"));
    const usage = (await (await client.request("/v1/usage")).json()) as { gb_remaining: number };
    expect(usage.gb_remaining).toBe(0);
    const byUrl = await client.postJson("/v1/pipeline/file-inspect", {
      input: `${inject("host").url}/x`,
    });
    expect([byUrl.status, byUrl.headers.get("x-error-code")]).toEqual([429, "usage_limit_reached"]);
  });
});

function streamOf(chunks: readonly Buffer[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
      controller.close();
    },
  });
}

it("the file of an upload can be sent 20 times at once", async () => {
  const client = await createClient();
  const created = await client.postJson("/v1/uploads", { filename: "a.txt", bytes: 5 });
  const { url } = (await created.json()) as { url: string };
  const send = (body: string) => fetch(url, { method: "PUT", body });
  for (let count = 0; count < 20; count++) await expectError(await send("four"), "invalid_input");
  const rejected = await send("hello");
  expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
  await expectError(rejected, "rate_limited");
});
