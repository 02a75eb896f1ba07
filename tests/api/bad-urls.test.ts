import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { pagesWithExternalReferences } from "#tests/hostile/bad-pages.ts";
import { badServers, oversendingServer } from "#tests/hostile/bad-servers.ts";
import { blockedUrls, malformedUrls } from "#tests/hostile/bad-urls.ts";
import { expectHealthyService } from "#tests/hostile/stale-files.ts";
import { sampleVideo } from "#tests/samples/videos.ts";
import { type CanaryServer, startCanaryServer } from "#tests/servers/canary-server.ts";
import { type Client, createClient } from "#tests/service/client.ts";
import { withServiceDatabase } from "#tests/service/service-database.ts";
import { until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";

const { url, folder, sparePorts } = inject("host");
const [badPort = 0] = sparePorts;
const refused =
  /^(?:`watermark_url`: )?The URL is not allowed: it must be a public http or https URL whose host resolves, on port /;
let client: Client;
let closed: CanaryServer;
const badServer = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (data) => {
    const path = /^GET \/(\S+)/.exec(data.toString("latin1"))?.[1] ?? "";
    const row = [...badServers, oversendingServer].find(
      ({ id }) => id === decodeURIComponent(path),
    );
    socket.end(row?.response(closed.url) ?? "", "latin1");
  });
});
const badUrl = `http://127.0.0.1:${badPort}`;

beforeAll(async () => {
  [client, closed] = await Promise.all([createClient(), startCanaryServer()]);
  await once(badServer.listen(badPort, "127.0.0.1"), "listening");
  await writeFile(join(folder, "film.mp4"), await readFile(sampleVideo()));
});

afterAll(async () => {
  badServer.close();
  closed.close();
  expect(closed.connections).toEqual([]);
  await expectHealthyService();
});

describe("an address that is closed fails its job with one sentence for all, and is sent nothing", () => {
  const addresses = [...blockedUrls, inject("service").url];
  beforeAll(() => void addresses.push(`${closed.url}/a`));

  const expectRefused = (jobs: readonly Job[]) => {
    for (const [index, job] of jobs.entries()) {
      const { status, error_code } = job;
      expect([status, error_code], addresses[index]).toEqual(["failed", "address_refused"]);
      expect(job.error).toMatch(refused);
    }
    expect(new Set(jobs.map((job) => job.error)).size).toBe(1);
  };

  it("as input and as webhook_url", async () => {
    const owner = await createClient();
    const jobs = await Promise.all(
      addresses.map((address) =>
        owner.runUrl("pipeline/file-inspect", address, { webhook_url: address }),
      ),
    );
    expectRefused(jobs);
    const ids = jobs.map((job) => job.id);
    const readAttempts = () =>
      withServiceDatabase(
        (sql) => sql<{ attempts: { status: number | null; response: string }[] }[]>`
          select attempts from webhook_deliveries where job_id in ${sql(ids)}`,
      );
    await until(async () => (await readAttempts()).every((row) => row.attempts.length > 0), 20_000);
    const attempts = (await readAttempts()).flatMap((row) => row.attempts.slice(0, 1));
    expect(attempts).toHaveLength(addresses.length);
    for (const { status, response } of attempts) {
      expect([status, response]).toEqual([null, expect.stringMatching(refused)]);
    }
  });

  it("as watermark_url", async () => {
    const run = (address: string) =>
      client.runUrl("pipeline/video-watermark", `${url}/film.mp4`, { watermark_url: address });
    expectRefused(await Promise.all(addresses.map(run)));
  });
});

describe("an address of bad form is refused at once", () => {
  it.each(malformedUrls)("%j", async (address) => {
    const good = "http://example.com/";
    for (const [operation, fields] of [
      ["pipeline/file-inspect", { input: address }],
      ["pipeline/video-watermark", { input: good, watermark_url: address }],
      ["pipeline/file-inspect", { input: good, webhook_url: address }],
    ] as const) {
      const message = await expectError(
        await client.postJson(`/v1/${operation}`, fields),
        "invalid_parameter",
      );
      expect(message).toMatch(/^`(?:input|watermark_url|webhook_url)` must /);
    }
  });
});

describe("a server fails the job that", () => {
  it.each(badServers)("answers $id", async ({ id, code }) => {
    const job = await client.runUrl("pipeline/file-inspect", `${badUrl}/${id}`);
    expect(job).toMatchObject({ status: "failed", error_code: code, outputs: [], result: null });
    expect(job.error).toMatch(/^[A-Z][^\n/]+\.$/);
    if (code === "address_refused") expect(job.error).toMatch(refused);
  });

  it("is taken at its word where it says more than it declared", async () => {
    const job = await client.runUrl("pipeline/file-inspect", `${badUrl}/${oversendingServer.id}`);
    expect(job).toMatchObject({ status: "completed", input: { bytes: 5 }, result: { bytes: 5 } });
  });
});

describe("a page prints and reaches nothing", () => {
  // What moves the page away hides the rest, so it comes alone.
  const alone = ["meta refresh", "location", "form"];
  const leftOut = ["window.open", "download"];
  const together = pagesWithExternalReferences.filter(
    ({ id }) => ![...alone, ...leftOut].includes(id),
  );
  const pages = [
    ...pagesWithExternalReferences.filter(({ id }) => alone.includes(id)),
    {
      id: together.map(({ id }) => id).join(", "),
      html: (address: string) => together.map(({ html }) => html(address)).join("\n"),
    },
  ];

  it.each(pages)("by $id", async ({ html }) => {
    const page = html(closed.url);
    const name = `reaching-${page.length}.html`;
    await writeFile(join(folder, name), page.replaceAll("127.0.0.1", "localhost"));
    const jobs = await Promise.all([
      client.run("document/html-to-pdf", { bytes: page, filename: name }),
      client.runUrl("document/html-to-pdf", `${url}/${name}`),
    ]);
    for (const { status, error } of jobs) expect([status, error]).toEqual(["completed", null]);
    expect(closed.connections).toEqual([]);
  });
});
