import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import type { JobRow, StoredSource } from "#lib/db/schema/jobs.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { retryJob } from "#lib/jobs/actions/retry.ts";
import { EngineSlots } from "#lib/jobs/run/engine-slots.ts";
import { openedFiles } from "#lib/jobs/run/inputs/partial-input.ts";
import { runJob } from "#lib/jobs/run/run.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { serializeJobDetails } from "#lib/jobs/view/details.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { phasesOf } from "#lib/jobs/view/phases.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { storage } from "#lib/storage/index.ts";
import { findRemainingCommands } from "#tests/hostile/engine-processes.ts";
import { makeLongVideos } from "#tests/samples/long-video.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { type RangeBehavior, RangeHost } from "#tests/servers/range-host.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import {
  acceptFile,
  acceptJob,
  makeAccount,
  readJob,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";

const folder = mkdtempSync(join(tmpdir(), "mediamill-partial-"));
/** Two minutes of video: 40 MB, with the index at the end and at the beginning. */
const { indexLast, indexFirst } = makeLongVideos(folder, 120);
let host: RangeHost;
let account: Account;
let stopRunner: (() => Promise<void>) | undefined;

function ffmpeg(...args: string[]): Buffer {
  return execProgram("ffmpeg", ["-v", "error", "-y", ...args]);
}

beforeAll(async () => {
  host = await RangeHost.start(inject("rangePort"));
});

beforeEach(async () => {
  account = await makeAccount();
});

afterEach(async () => {
  await stopRunner?.();
  stopRunner = undefined;
  await db().execute(sql`delete from jobs`);
  expect(listRemaining()).toEqual([]);
  expect(await findRemainingCommands("relay.pl")).toEqual([]);
});

afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true });
});

/** What jobs have left: work folders, received parts and sockets. */
function listRemaining(): string[] {
  const list = (path: string) => (existsSync(path) ? readdirSync(path) : []);
  const files = list(processPath()).filter((name) => /^job_|\.part$/.test(name));
  return [...files, ...list(processPath("partial"))];
}

async function startRunner(): Promise<void> {
  ({ stop: stopRunner } = await startMediaRunner(shortTimes));
}

type Params = Record<string, unknown>;

async function runByUrl(
  operation: string,
  params: Params,
  path: string,
  behave?: RangeBehavior,
): Promise<JobRow> {
  await startRunner();
  const { id } = await acceptJob(account, host.serve(path, behave), { operation, params });
  return waitForJobState(id, isFinal, 55_000);
}

async function runByUpload(operation: string, params: Params, path: string): Promise<JobRow> {
  const { id } = await acceptFile(account, operation, params, path);
  return waitForJobState(id, isFinal, 55_000);
}

async function usedBytes(of: Account): Promise<number> {
  const usage = await readUsage(db(), of.id, periodOf(new Date()));
  expect(usage.reservedBytes).toBe(0);
  return usage.usedBytes;
}

/** Hashes of the decoded frames and samples of a job's output. */
async function hashFrames({ outputs }: JobRow): Promise<string> {
  const path = join(folder, `${outputs[0]?.key.replaceAll("/", "-")}.mp4`);
  await storage().getFile(outputs[0]?.key ?? "", path);
  return ffmpeg("-i", path, "-f", "framemd5", "-").toString();
}

/** Behaves correctly for the first `count` requests, and like `behave` for the others. */
const startingAt =
  (count: number, behave: RangeBehavior): RangeBehavior =>
  (request) =>
    request.index < count || behave(request);

const file = (path: string) => ({ bytes: statSync(path).size });

it.each([
  ["last", indexLast],
  ["first", indexFirst],
])(
  "a video with its index %s is inspected by URL as by upload, with half of its bytes",
  async (_, path) => {
    const { bytes } = file(path);
    const job = await runByUrl("pipeline/file-inspect", {}, path);
    expect(job).toMatchObject({ status: "completed", source: { kind: "remote" }, attempts: 1 });
    expect(job.input).toMatchObject({ filename: "video.mp4", contentType: "video/mp4", bytes });
    const used = await usedBytes(account);
    expect(used).toBeLessThan(bytes / 2);
    // A request ahead of the engine may end before its response was received.
    expect(host.sentBytes).toBeGreaterThan(used);
    expect(host.sentBytes - used).toBeLessThan(5e6);
    const { result } = await runByUpload("pipeline/file-inspect", {}, path);
    expect(result).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(job.result).toEqual({ ...result, sha256: null });
  },
);

it.each([
  [indexLast, { duration: 2, start: 70 }],
  [indexFirst, { duration: 2 }],
])("a preview clip is the same by URL as by upload", async (path, params) => {
  const job = await runByUrl("video/preview-clip", params, path);
  expect(job).toMatchObject({ status: "completed", error: null });
  expect(host.sentBytes).toBeLessThan(file(path).bytes * 0.7);
  const uploaded = await runByUpload("video/preview-clip", params, path);
  expect(await hashFrames(job)).toBe(await hashFrames(uploaded));
});

it("is shown with its URL, and without a download", async () => {
  const job = await runByUrl("pipeline/file-inspect", {}, indexFirst);
  const { inputs } = serializeJobDetails(job);
  expect(inputs).toEqual([
    {
      part: "file",
      filename: "video.mp4",
      contentType: "video/mp4",
      url: null,
      bytes: file(indexFirst).bytes,
      sourceUrl: job.input.url,
    },
  ]);
  expect(phasesOf(job).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["queued", "fetching", "working", "storing"]),
  );
  expect(JSON.stringify(serializeJob(job))).not.toContain("etag");
});

it("is the first input of a chain", async () => {
  const operations = [
    { type: "video/preview-clip", params: { duration: 1, start: 60 } },
    { type: "pipeline/file-inspect", params: {} },
  ];
  const job = await runByUrl("chain", { operations }, indexLast);
  expect(job).toMatchObject({ status: "completed", source: { kind: "remote" } });
  expect(job.result).toMatchObject({ type: "mp4", duration: 1, sha256: expect.any(String) });
});

it("is read by another runner than the one that opened it", async () => {
  const url = host.serve(indexLast);
  const { id } = await acceptJob(account, url, { operation: "pipeline/file-inspect" });
  const engineSlots = new EngineSlots({ size: 1 });
  const options = { times: shortTimes, stopping: new AbortController().signal, engineSlots };
  const run = async (stage: "fetch" | "run") => {
    const lease = { jobId: id, token: stage };
    const job = (await claimJob(db(), lease, 10, stage)) ?? expect.fail("not claimed");
    await runJob({ job, lease }, options);
  };
  await run("fetch");
  await openedFiles.take(id)?.close();
  expect(await readJob(id)).toMatchObject({ stage: "run", fetchedAt: expect.any(Date) });
  await run("run");
  expect(await readJob(id)).toMatchObject({ status: "completed", result: { sha256: null } });
});

it("a file of another kind is fetched as a whole, once", async () => {
  const path = join(folder, "notes.txt");
  writeFileSync(path, "a line of text\n".repeat(400_000));
  const job = await runByUrl("pipeline/file-inspect", {}, path);
  expect(job).toMatchObject({ status: "completed", source: { kind: "stored" } });
  expect(job.result).toMatchObject({ type: "txt", sha256: (job.source as StoredSource).sha256 });
  expect(await usedBytes(account)).toBe(6e6);
  expect(host.sentBytes).toBeLessThan(6e6 + 10_000);
});

it("a file of a type that the operation does not accept fails", async () => {
  const path = join(folder, "sound.wav");
  ffmpeg("-f", "lavfi", "-i", "sine=d=60", path);
  const job = await runByUrl("video/preview-clip", {}, path);
  expect(job).toMatchObject({ status: "failed", errorCode: "unsupported_type" });
  expect(host.sentBytes).toBeLessThan(2e6);
});

describe("limits hold for the whole size", () => {
  it("the plan's file size", async () => {
    const { id } = await acceptJob(
      await makeAccount("free"),
      host.serve(
        indexLast,
        ({ send }) => void send({ "content-range": "bytes 0-1048575/200000000" }),
      ),
      { operation: "video/preview-clip", params: { duration: 1 } },
    );
    await startRunner();
    expect(await waitForJobState(id)).toMatchObject({ status: "failed", errorCode: "too_large" });
  });

  it("the quota", async () => {
    const free = await makeAccount("free");
    const { id } = await acceptJob(free, host.serve(indexLast), {
      operation: "video/preview-clip",
      params: { duration: 1 },
    });
    await db().execute(sql`update usage set used_bytes = 990000000 where account_id = ${free.id}`);
    await startRunner();
    expect(await waitForJobState(id)).toMatchObject({ errorCode: "usage_limit_reached" });
    expect(await usedBytes(free)).toBe(990_000_000);
  });
});

describe("a server that fails during the job", () => {
  const clip = ["video/preview-clip", { duration: 1, start: 90 }, indexLast] as const;

  it("a file that changes fails the job, which can be retried", async () => {
    const job = await runByUrl(
      ...clip,
      startingAt(3, ({ send }) => void send({ etag: '"two"' })),
    );
    expect(job).toMatchObject({
      status: "failed",
      errorCode: "fetch_failed",
      error: "The file at the URL changed while it was read.",
    });
    host.serve(indexLast);
    const { job: retry } = await retryJob({ account, requestId: "req_test" }, job);
    expect(retry).toMatchObject({ stage: "fetch", source: { kind: "url" } });
    expect(await waitForJobState(retry.id)).toMatchObject({ status: "completed" });
  });

  it.each<[string, RangeBehavior]>([
    [
      "sends the whole file",
      ({ response, content, bytes }) => {
        response.writeHead(200, { etag: '"one"', "content-length": bytes });
        content(0, bytes).pipe(response);
        return undefined;
      },
    ],
    ["sends another range", ({ send }) => void send({ "content-range": "bytes 1-2/3" })],
    ["does not respond in time", () => undefined],
  ])("if it %s, the whole file is fetched in another stage", async (_, behave) => {
    const job = await runByUrl(...clip, (request) => {
      // A request without a range is for the whole file.
      return request.index < 3 || request.request.headers.range === undefined || behave(request);
    });
    expect(job).toMatchObject({ status: "completed", source: { kind: "stored" }, attempts: 1 });
    expect(await usedBytes(account)).toBe(file(indexLast).bytes);
    expect(phasesOf(job).map(({ name }) => name)).toContain("fetching");
  });

  it("connections that break are replaced", async () => {
    const job = await runByUrl(...clip, (request) => {
      const { index, response, headers, start, content } = request;
      if (index === 0 || index % 2 === 0) return true;
      response.writeHead(206, headers);
      content(start, start + 50_000)
        .pipe(response, { end: false })
        .on("unpipe", () => setTimeout(() => response.destroy(), 10));
      return undefined;
    });
    expect(job).toMatchObject({ status: "completed", source: { kind: "remote" } });
  });

  it("a canceled job leaves nothing", async () => {
    await startRunner();
    const { id } = await acceptJob(
      account,
      host.serve(
        indexLast,
        startingAt(3, () => undefined),
      ),
      {
        operation: "video/preview-clip",
        params: { duration: 1, start: 90 },
      },
    );
    await waitForJobState(id, () => host.ranges.length > 3);
    expect(await cancelJob(account.id, id)).toMatchObject({ status: "cancelled" });
    await expect.poll(listRemaining).toEqual([]);
  });
});
