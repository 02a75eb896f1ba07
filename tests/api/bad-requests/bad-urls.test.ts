import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { pagesWithExternalReferences } from "#tests/hostile/documents/bad-pages.ts";
import { badServers, oversendingServer } from "#tests/hostile/requests/bad-servers.ts";
import { blockedUrls, malformedUrls } from "#tests/hostile/requests/bad-urls.ts";
import { expectHealthyService } from "#tests/hostile/stale-files.ts";
import { sampleVideo } from "#tests/samples/videos.ts";
import { type CanaryServer, startCanaryServer } from "#tests/servers/canary-server.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { type Client, createClient } from "#tests/service/http/client.ts";
import { until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";

const { url, folder, sparePorts } = inject("host");
const [badPort = 0] = sparePorts;
const urlNotAllowed =
  /^(?:`watermark_url`: )?The URL is not allowed: it must be a public http or https URL whose host resolves, on port /;
/** Names that must be resolved before anything is known about them. */
const resolvedUrls = ["http://metadata.google.internal/", "http://no.such.name.invalid/"];
let client: Client;
let canary: CanaryServer;
const badServer = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (data) => {
    const path = /^GET \/(\S+)/.exec(data.toString("latin1"))?.[1] ?? "";
    const row = [...badServers, oversendingServer].find(
      ({ id }) => id === decodeURIComponent(path),
    );
    socket.end(row?.response(canary.url) ?? "", "latin1");
  });
});
const badUrl = `http://127.0.0.1:${badPort}`;

beforeAll(async () => {
  [client, canary] = await Promise.all([createClient(), startCanaryServer()]);
  await once(badServer.listen(badPort, "127.0.0.1"), "listening");
  await writeFile(join(folder, "video.mp4"), await readFile(sampleVideo()));
});

afterAll(async () => {
  badServer.close();
  canary.close();
  expect(canary.connections).toEqual([]);
  await expectHealthyService();
});

describe("a blocked URL fails the job with one message for all URLs, and receives no request", () => {
  const urls = [...blockedUrls, inject("service").url];
  beforeAll(() => void urls.push(`${canary.url}/a`));

  const expectBlocked = (jobs: readonly Job[]) => {
    for (const [index, job] of jobs.entries()) {
      const { status, error_code } = job;
      expect([status, error_code], urls[index]).toEqual(["failed", "address_refused"]);
      expect(job.error).toMatch(urlNotAllowed);
    }
    expect(new Set(jobs.map((job) => job.error)).size).toBe(1);
  };

  it("as webhook_url, before a job is created", async () => {
    const owner = await createClient();
    const obstacle = /^`webhook_url` must (?:have a public host|be on port 80 or 443)/;
    for (const blockedUrl of urls.filter((one) => !resolvedUrls.includes(one))) {
      const fields = { input: `${url}/video.mp4`, webhook_url: blockedUrl };
      const response = await owner.postJson("/v1/pipeline/file-inspect", fields);
      expect(await expectError(response, "invalid_parameter"), blockedUrl).toMatch(obstacle);
    }
    const response = await owner.request("/v1/jobs");
    expect(await response.json()).toMatchObject({ jobs: [] });
  });

  it("as input", async () => {
    expectBlocked(
      await Promise.all(urls.map((one) => client.runUrl("pipeline/file-inspect", one))),
    );
  });

  it("as webhook_url at each attempt, if only the resolution of the name shows it", async () => {
    const owner = await createClient();
    const jobs = await Promise.all(
      resolvedUrls.map((one) =>
        owner.runUrl("pipeline/file-inspect", `${url}/video.mp4`, { webhook_url: one }),
      ),
    );
    const ids = jobs.map((job) => job.id);
    const readAttempts = () =>
      withServiceDatabase(
        (sql) => sql<{ attempts: { status: number | null; response: string }[] }[]>`
          select attempts from webhook_deliveries where job_id in ${sql(ids)}`,
      );
    await until(async () => (await readAttempts()).every((row) => row.attempts.length > 0), 20_000);
    const attempts = (await readAttempts()).flatMap((row) => row.attempts.slice(0, 1));
    expect(attempts).toHaveLength(resolvedUrls.length);
    for (const { status, response } of attempts) {
      expect([status, response]).toEqual([null, expect.stringMatching(urlNotAllowed)]);
    }
  });

  it("as watermark_url", async () => {
    const run = (blockedUrl: string) =>
      client.runUrl("pipeline/video-watermark", `${url}/video.mp4`, { watermark_url: blockedUrl });
    expectBlocked(await Promise.all(urls.map(run)));
  });
});

describe("a malformed URL is rejected before a job is created", () => {
  it.each(malformedUrls)("%j", async (malformedUrl) => {
    const validUrl = "http://example.com/";
    for (const [operation, fields] of [
      ["pipeline/file-inspect", { input: malformedUrl }],
      ["pipeline/video-watermark", { input: validUrl, watermark_url: malformedUrl }],
      ["pipeline/file-inspect", { input: validUrl, webhook_url: malformedUrl }],
    ] as const) {
      const message = await expectError(
        await client.postJson(`/v1/${operation}`, fields),
        "invalid_parameter",
      );
      expect(message).toMatch(/^`(?:input|watermark_url|webhook_url)` must /);
    }
  });
});

describe("a server response fails the job:", () => {
  it.each(badServers)("$id", async ({ id, code }) => {
    const job = await client.runUrl("pipeline/file-inspect", `${badUrl}/${id}`);
    expect(job).toMatchObject({ status: "failed", error_code: code, outputs: [], result: null });
    expect(job.error).toMatch(/^[A-Z][^\n/]+\.$/);
    if (code === "address_refused") expect(job.error).toMatch(urlNotAllowed);
  });

  it("except a body that is longer than declared: only the declared bytes are read", async () => {
    const job = await client.runUrl("pipeline/file-inspect", `${badUrl}/${oversendingServer.id}`);
    expect(job).toMatchObject({ status: "completed", input: { bytes: 5 }, result: { bytes: 5 } });
  });
});

describe("a page with external references is printed and sends no requests:", () => {
  // These leave the page, which would hide the other references. Each one gets its own page.
  const navigating = ["meta refresh", "location", "form"];
  const excluded = ["window.open", "download"];
  const combined = pagesWithExternalReferences.filter(
    ({ id }) => ![...navigating, ...excluded].includes(id),
  );
  const pages = [
    ...pagesWithExternalReferences.filter(({ id }) => navigating.includes(id)),
    {
      id: combined.map(({ id }) => id).join(", "),
      html: (target: string) => combined.map(({ html }) => html(target)).join("\n"),
    },
  ];

  it.each(pages)("$id", async ({ html }) => {
    const page = html(canary.url);
    const name = `external-${page.length}.html`;
    await writeFile(join(folder, name), page.replaceAll("127.0.0.1", "localhost"));
    const jobs = await Promise.all([
      client.run("document/html-to-pdf", { bytes: page, filename: name }),
      client.runUrl("document/html-to-pdf", `${url}/${name}`),
    ]);
    for (const { status, error } of jobs) expect([status, error]).toEqual(["completed", null]);
    expect(canary.connections).toEqual([]);
  });
});
