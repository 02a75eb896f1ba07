import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/describe.ts";
import { closedAddresses, malformedAddresses } from "#tests/support/bad-addresses.ts";
import { reachingPages } from "#tests/support/bad-documents.ts";
import { badServers } from "#tests/support/bad-servers.ts";
import { type Client, newClient } from "#tests/support/client.ts";
import { type ClosedHost, startClosedHost } from "#tests/support/closed-host.ts";
import { expectError } from "#tests/support/expect-error.ts";
import { expectServiceWell } from "#tests/support/leftovers.ts";
import { withServiceDatabase } from "#tests/support/service-database.ts";
import { until } from "#tests/support/stack.ts";
import { film } from "#tests/support/videos.ts";

const { url, folder, sparePorts } = inject("host");
const refused = /^The address cannot be used: it must be a public http or https address on port /;
let client: Client;
let closed: ClosedHost;
const badServer = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (data) => {
    const path = /^GET \/(\S+)/.exec(data.toString("latin1"))?.[1] ?? "";
    const row = badServers.find(({ id }) => id === decodeURIComponent(path));
    socket.end(row?.answer(closed.url), "latin1");
  });
});
const badUrl = `http://127.0.0.1:${sparePorts[0]}`;

beforeAll(async () => {
  [client, closed] = await Promise.all([newClient(), startClosedHost()]);
  await once(badServer.listen(sparePorts[0], "127.0.0.1"), "listening");
  await writeFile(join(folder, "film.mp4"), await readFile(film()));
});

afterAll(async () => {
  badServer.close();
  closed.close();
  expect(closed.visits).toEqual([]);
  await expectServiceWell();
});

/** How a job ended, without what differs from job to job. */
const endOf = ({ status, error_code, error }: Job) => ({ status, error_code, error });

describe("an address that is closed", () => {
  const addresses = [...closedAddresses, inject("service").url];

  it.each([
    ["input", (address: string) => client.runUrl("pipeline/file-inspect", address)],
    [
      "watermark_url",
      (address: string) =>
        client.runUrl("pipeline/video-watermark", `${url}/film.mp4`, { watermark_url: address }),
    ],
  ] as const)("as %s fails the job with one sentence for all", async (_name, run) => {
    const jobs = await Promise.all([...addresses, `${closed.url}/a`].map(run));
    const first = endOf(jobs[0] as Job);
    expect(first).toMatchObject({ status: "failed", error_code: "address_refused" });
    expect(first.error).toMatch(refused);
    for (const [index, job] of jobs.entries()) expect(endOf(job), addresses[index]).toEqual(first);
  });

  it("as webhook_url leaves the job as it is and is sent nothing", async () => {
    const owner = await newClient();
    const targets = [...addresses, `${closed.url}/a`];
    const file = { bytes: "hello", filename: "a.txt" };
    const jobs = await Promise.all(
      targets.map((webhook_url) => owner.run("pipeline/file-inspect", file, { webhook_url })),
    );
    expect(new Set(jobs.map((job) => job.status))).toEqual(new Set(["completed"]));
    const ids = jobs.map((job) => job.id);
    const readAttempts = () =>
      withServiceDatabase(
        (sql) => sql<{ attempts: { status: number | null; response: string }[] }[]>`
          select attempts from webhook_deliveries where job_id in ${sql(ids)}`,
      );
    await until(async () => (await readAttempts()).every((row) => row.attempts.length > 0), 10_000);
    const first = (await readAttempts()).map((row) => row.attempts[0]);
    expect(first).toHaveLength(targets.length);
    for (const attempt of first)
      expect(attempt).toMatchObject({ status: null, response: expect.stringMatching(refused) });
  });
});

describe("an address of bad form is refused at once", () => {
  it.each(malformedAddresses)("%j", async (address) => {
    const good = "http://example.com/";
    for (const [operation, fields] of [
      ["pipeline/file-inspect", { input: address }],
      ["pipeline/video-watermark", { input: good, watermark_url: address }],
      ["pipeline/file-inspect", { input: good, webhook_url: address }],
    ] as const) {
      const sentence = await expectError(
        await client.postJson(`/v1/${operation}`, fields),
        "invalid_parameter",
      );
      expect(sentence).toMatch(/^(?:input|watermark_url|webhook_url) must /);
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

  it("is not there", async () => {
    const job = await client.runUrl("pipeline/file-inspect", `http://127.0.0.1:${sparePorts[1]}/`);
    expect(job).toMatchObject({ status: "failed", error_code: "fetch_failed" });
  });
});

describe("a page prints and reaches nothing", () => {
  it.each(reachingPages)("by $id", async ({ id, html }) => {
    const page = html(closed.url);
    const name = `reaching-${id.replaceAll(/\W/g, "-")}.html`;
    await writeFile(join(folder, name), page.replaceAll("127.0.0.1", "localhost"));
    const jobs = await Promise.all([
      client.run("document/html-to-pdf", { bytes: page, filename: name }),
      client.runUrl("document/html-to-pdf", `${url}/${name}`),
    ]);
    expect(jobs.map(endOf)).toEqual(
      Array(2).fill({ status: "completed", error_code: null, error: null }),
    );
    expect(closed.visits).toEqual([]);
  });
});
