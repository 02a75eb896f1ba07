import { describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { createClient } from "#tests/service/client.ts";
import { setUsage } from "#tests/service/usage.ts";

const html = { bytes: "<h1>Hello</h1>", filename: "hello.html" };

describe("requests a minute", () => {
  it("beyond the plan's answer 429 with the time to wait; reading is free", async () => {
    const client = await createClient("free");
    for (let count = 1; count <= 10; count++) {
      const response = await client.postForm("/v1/pipeline/file-inspect", { file: html });
      expect(response.status).toBe(202);
      expect(response.headers.get("ratelimit-limit")).toBe("10");
      expect(response.headers.get("ratelimit-remaining")).toBe(String(10 - count));
    }
    const refused = await client.postForm("/v1/pipeline/file-inspect", { file: html });
    expect([refused.status, refused.headers.get("x-error-code")]).toEqual([429, "rate_limited"]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    const read = await client.request("/v1/usage");
    expect([read.status, read.headers.get("ratelimit-remaining")]).toEqual([200, "0"]);
  });

  it("are counted only where they create work", async () => {
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
    expect(others.at(-1)?.headers.get("ratelimit-remaining")).toBe("9");
  });

  it("are told to a valid key at every path and method", async () => {
    const client = await createClient("free");
    const answers = [
      await client.request("/v1/operations"),
      await client.request("/v1/nothing/at/all"),
      await client.request("/v1/usage", { method: "PUT" }),
      await client.request("/v1/nothing", { method: "POST" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 404]);
    for (const { headers } of answers) {
      expect(headers.get("ratelimit-limit")).toBe("10");
      expect(headers.get("cache-control")).toBe("no-store");
    }
    const open = await fetch(`${inject("service").url}/v1/operations`);
    expect(open.headers.get("ratelimit-limit")).toBeNull();
    expect(open.headers.get("cache-control")).toContain("public");
  });

  it("are not counted on an unlimited plan", async () => {
    const client = await createClient("enterprise");
    const response = await client.request("/v1/usage");
    expect(response.headers.get("ratelimit-limit")).toBeNull();
  });
});

describe("uploads that wait", () => {
  it("fill at most what the plan has in a month, whoever is first", async () => {
    const client = await createClient("free");
    const announce = () => client.postJson("/v1/uploads", { filename: "a", bytes: 100_000_000 });
    const answers = await Promise.all(Array.from({ length: 14 }, announce));
    const accepted = answers.filter(({ status }) => status === 201);
    expect(accepted).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("x-error-code")).toBe("usage_limit_reached");
    expect(refused?.headers.get("retry-after")).toMatch(/^\d+$/);
    const small = await client.postJson("/v1/uploads", { filename: "a", bytes: 1 });
    expect(small.status).toBe(429);
  });
});

describe("file size", () => {
  const limit = 100_000_000;

  it("is refused from Content-Length before a byte is read", async () => {
    const client = await createClient("free");
    const file = { bytes: Buffer.alloc(limit + 2_000_000), filename: "big.txt" };
    const response = await client.postForm("/v1/pipeline/file-inspect", { file });
    expect([response.status, response.headers.get("x-error-code")]).toEqual([413, "too_large"]);
  });

  it("is refused while reading where no length is declared, one byte too many", async () => {
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

  it("of 11 MB arrives byte for byte", async () => {
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
  it("200 requests at once at the quota's edge pass exactly what fits", async () => {
    const client = await createClient("business");
    await setUsage(client.email, 200e9 - 7 * html.bytes.length);
    const responses = await Promise.all(
      Array.from({ length: 200 }, () =>
        client.postForm("/v1/pipeline/file-inspect", { file: html }),
      ),
    );
    const accepted = responses.filter((response) => response.status === 202);
    const refused = responses.filter(
      (response) => response.headers.get("x-error-code") === "usage_limit_reached",
    );
    expect([accepted.length, refused.length]).toEqual([7, 193]);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
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
