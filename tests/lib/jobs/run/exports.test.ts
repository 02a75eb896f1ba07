import { createHash } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { retryJob, SecretsErasedError } from "#lib/jobs/actions/retry.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import type { ExportTarget } from "#lib/jobs/secrets.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { networkFor } from "#lib/net/network.ts";
import { putFile } from "#lib/net/put-file.ts";
import { splitPdf } from "#lib/operations/document/split-pdf/index.ts";
import { resize } from "#lib/operations/image/resize/index.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { type PutBehavior, PutStore } from "#tests/servers/storage/put-store.ts";
import {
  acceptFile,
  makeAccount,
  readJob,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";
import { RunnerProcess } from "#tests/service/runner-process.ts";

const origin = `http://127.0.0.1:${inject("storePort")}`;
const picture = join(projectFolder, "public/samples/inputs/logo.png");
const document = join(projectFolder, "public/samples/inputs/brochure.pdf");
/** A part of a presigned URL that must not appear anywhere. */
const signature = "canary-0a1b2c3d";
let store: PutStore;
let account: Account;
let stopRunner: (() => Promise<void>) | undefined;

beforeAll(async () => {
  store = await PutStore.start(inject("storePort"));
});

beforeEach(async () => {
  account = await makeAccount();
});

afterEach(async () => {
  await stopRunner?.();
  stopRunner = undefined;
  await db().execute(sql`delete from jobs`);
});

afterAll(() => store.close());

async function startRunner(): Promise<void> {
  ({ stop: stopRunner } = await startMediaRunner(shortTimes));
}

const targetOf = (path: string, more: Partial<ExportTarget> = {}): ExportTarget => ({
  urls: [`${origin}${path}?X-Amz-Signature=${signature}`],
  headers: {},
  keep: false,
  ...more,
});

async function accept(target: ExportTarget, file = picture): Promise<string> {
  const [operation, given] =
    file === picture ? [resize, { width: 100 }] : [splitPdf, { ranges: "1,2" }];
  const params = operation.params.parse(given);
  return (await acceptFile(account, operation.id, params, file, { target })).id;
}

async function run(
  path: string,
  behavior: PutBehavior = "store",
  more: Partial<ExportTarget> = {},
) {
  store.treat(path, behavior);
  await startRunner();
  const id = await accept(targetOf(path, more));
  return waitForJobState(id);
}

const isStored = async ({ outputs }: Pick<JobRow, "outputs">) => {
  try {
    await storage().readBytes(outputs[0]?.key ?? "");
    return true;
  } catch (error) {
    if (error instanceof FileGoneError) return false;
    throw error;
  }
};

/** All that the database has of the job, as text. */
async function dump(id: string): Promise<string> {
  return JSON.stringify(await db().execute(sql`select * from jobs where id = ${id}`));
}

describe("a job with a target", () => {
  it("is completed when the store has its output, which is not kept", async () => {
    const job = await run("/plain/logo.png", "store", { headers: { "x-custom": "1" } });
    expect(job).toMatchObject({
      status: "completed",
      attempts: 1,
      unexported: null,
      secrets: null,
    });
    const file = store.files.get("/plain/logo.png");
    expect(file?.headers).toMatchObject({ "content-type": "image/png", "x-custom": "1" });
    expect(file?.headers["transfer-encoding"]).toBeUndefined();
    const [output] = serializeJob(job).outputs;
    const bytes = file?.body.length ?? 0;
    const etag = createHash("md5")
      .update(file?.body ?? "")
      .digest("hex");
    const exported = { url: `${origin}/plain/logo.png`, etag, bytes };
    expect(output).toMatchObject({ content_type: "image/png", width: 100, bytes, exported });
    await expect.poll(() => isStored(job)).toBe(false);
    expect(await dump(job.id)).not.toContain(signature);
  });

  it("keeps its output if it is asked to", async () => {
    const job = await run("/kept/logo.png", "store", { keep: true });
    expect(job.outputs[0]).not.toHaveProperty("isRemoved");
    const stored = await storage().read(job.outputs[0]?.key ?? "");
    expect(await buffer(stored)).toEqual(store.files.get("/kept/logo.png")?.body);
  });

  it("sends several outputs to one URL each, in order", async () => {
    await startRunner();
    const urls = ["/parts/1.pdf", "/parts/2.pdf"].map((path) => origin + path);
    const job = await waitForJobState(await accept(targetOf("", { urls }), document));
    expect(job.status).toBe("completed");
    expect(job.outputs.map(({ exported }) => exported?.url)).toEqual(urls);
    const bodies = urls.map((url) => store.files.get(new URL(url).pathname)?.body);
    expect(bodies.map((body) => body?.subarray(0, 5).toString())).toEqual(["%PDF-", "%PDF-"]);
    expect(bodies[0]).not.toEqual(bodies[1]);
  });

  it("fails with fewer URLs than outputs", async () => {
    await startRunner();
    const job = await waitForJobState(await accept(targetOf("/one.pdf"), document));
    const error =
      "The operation made 2 files, but `output` has 1 URL. Send one URL for each file, in order, as `urls`.";
    expect(job).toMatchObject({ status: "failed", errorCode: "export_failed", error });
    expect(store.requestsOf("/one.pdf")).toBe(0);
  });

  it("sends no type to a URL whose signature of the second version does not cover it", async () => {
    await startRunner();
    const urls = [`${origin}/v2.png?AWSAccessKeyId=a&Signature=b&Expires=1`];
    const job = await waitForJobState(await accept(targetOf("", { urls })));
    expect(job.status).toBe("completed");
    expect(store.files.get("/v2.png")?.headers).not.toHaveProperty("content-type");
  });
});

describe("a store that fails", () => {
  it.each(["busy twice", "cut once"] as const)(
    "%s: the file is sent again, and made once",
    async (behavior) => {
      const path = `/${behavior.replace(" ", "-")}.png`;
      const job = await run(path, behavior);
      expect(job.status).toBe("completed");
      expect(job.attempts).toBe(store.requestsOf(path));
      expect(job.attempts).toBe(behavior === "busy twice" ? 3 : 2);
      // The attempts of the run were counted before: it ran once, and its times are those of that run.
      expect(job.engineEndedAt?.getTime()).toBeLessThan(job.completedAt?.getTime() ?? 0);
      expect(store.files.get(path)?.body.length).toBe(job.outputs[0]?.bytes);
    },
  );

  it.each([
    ["denied", "The store refused the file with status 403: AccessDenied: Request has expired."],
    [
      "redirect",
      "The store refused the file with status 307, a redirect to another address. Send the address that it leads to.",
    ],
  ] as const)("%s: the job fails at once, with the reason", async (behavior, error) => {
    const path = `/${behavior}.png`;
    const job = await run(path, behavior);
    expect(job).toMatchObject({ status: "failed", errorCode: "export_failed", error, outputs: [] });
    expect(store.requestsOf(path)).toBe(1);
    expect(job.unexported).toBeNull();
    expect(await dump(job.id)).not.toContain(signature);
    const origin = { account, apiKeyId: undefined, requestId: "req_test" };
    await expect(retryJob(origin, job)).rejects.toBeInstanceOf(SecretsErasedError);
  });

  it("that has other bytes than were sent is not believed", async () => {
    store.treat("/wrong.png", "wrong checksum");
    await startRunner();
    const id = await accept(targetOf("/wrong.png"));
    // The second attempt, because the store may have been at fault once.
    await waitForJobState(id, ({ attempts }) => attempts >= 2);
    store.treat("/wrong.png", "encrypted");
    expect(await waitForJobState(id)).toMatchObject({ status: "completed" });
  });

  it("that hangs takes the time of a response", async () => {
    store.treat("/hang.png", "hang");
    const network = networkFor("exports");
    const put = {
      url: `${origin}/hang.png`,
      headers: {},
      bytes: 4,
      open: async () => Readable.from([Buffer.from("text")]),
      signal: new AbortController().signal,
      onProgress: () => {},
    };
    const limits = { ...network.limits, headersMs: 250 };
    await expect(putFile(put, { ...network, limits })).rejects.toMatchObject({
      code: "fetch_timeout",
    });
  });

  it("on a private address gets nothing", async () => {
    await startRunner();
    const urls = ["http://localhost.localdomain:8080/a.png"];
    const job = await waitForJobState(await accept(targetOf("", { urls })));
    expect(job).toMatchObject({
      status: "failed",
      errorCode: "export_failed",
      error: "The URL of `output` is not allowed: its host must be public.",
    });
  });
});

describe("an export in progress", () => {
  it("goes on in another runner when its runner is killed, without the work", async () => {
    store.treat("/killed.png", "hang");
    const runner = await RunnerProcess.start({ MEDIA_ENGINES: "av" });
    const id = await accept(targetOf("/killed.png"));
    await expect.poll(() => store.requestsOf("/killed.png")).toBe(1);
    const before = await readJob(id);
    expect(before).toMatchObject({ status: "processing", stage: "fetch", outputs: [] });
    expect(serializeJob(before).outputs).toEqual([]);
    process.kill(runner.pid, "SIGKILL");
    await runner.ended;
    // What the time of its lease would do.
    await db().execute(sql`update jobs set lease_expires_at = now() - interval '1 second'`);
    store.treat("/killed.png", "store");
    await startRunner();
    const job = await waitForJobState(id, ({ status }) => status === "completed", 50_000);
    expect(job.engineEndedAt).toEqual(before.engineEndedAt);
    expect(job.runnerDeaths).toBe(1);
    expect(store.files.get("/killed.png")?.body.length).toBe(job.outputs[0]?.bytes);
  });

  it("ends when its job is cancelled, and leaves nothing here", async () => {
    store.treat("/cancelled.png", "hang");
    await startRunner();
    const id = await accept(targetOf("/cancelled.png"));
    await expect.poll(() => store.requestsOf("/cancelled.png")).toBe(1);
    const outputs = [...((await readJob(id)).unexported?.outputs ?? [])];
    expect(await isStored({ outputs })).toBe(true);
    expect(await cancelJob(account.id, id)).toMatchObject({ status: "cancelled", secrets: null });
    expect(await isStored({ outputs })).toBe(false);
  });
});
