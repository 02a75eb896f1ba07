import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createConnection } from "#lib/connections/manage.ts";
import { db } from "#lib/db/client.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { resize } from "#lib/operations/image/resize/index.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import {
  startS3Store,
  startSftpStore,
  startWebdavStore,
  type UserStore,
} from "#tests/servers/storage/user-stores.ts";
import {
  acceptJob,
  makeAccount,
  readJob,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";
import { RunnerProcess } from "#tests/service/runner-process.ts";

const photo = readFileSync(join(projectFolder, "public/samples/inputs/photo.jpg"));
const params = resize.params.parse({ width: 1600, enlarge: true });
let stopRunner: (() => Promise<void>) | undefined;

afterEach(async () => {
  await stopRunner?.();
  stopRunner = undefined;
  await db().execute(sql`delete from jobs`);
});

describe.each([
  ["s3", startS3Store],
  ["webdav", startWebdavStore],
  ["sftp", startSftpStore],
] as const)("a runner that is killed while it sends an output to %s", (type, start) => {
  let store: UserStore;

  beforeAll(async () => {
    store = await start();
    await store.put("photo.jpg", photo);
  });
  afterAll(() => store.close());

  it("leaves nothing under the final path, and another sends it without the work", async () => {
    const account = await makeAccount();
    const fields = { ...store.fields };
    const settings = { name: "Store", prefix: "", access: "both", operations: null } as const;
    const { id } = await createConnection(account, { type, ...settings, fields });
    const connection = { id, path: "out/{filename}", overwrite: false };
    const target = { urls: [], headers: {}, keep: false, connection };
    const runner = await RunnerProcess.start({ TEST_LEASE_SECONDS: "20", MEDIA_ENGINES: "av" });
    store.stalls = true;
    const work = { operation: "image/resize", params, target };
    const job = await acceptJob(account, `${id}:photo.jpg`, work);
    await expect.poll(() => store.stalled, { timeout: 30_000 }).toBe(1);
    const before = await readJob(job.id);
    expect(before).toMatchObject({ status: "processing", outputs: [] });
    expect(before.unexported?.outputs).toHaveLength(1);
    process.kill(runner.pid, "SIGKILL");
    await runner.ended;
    expect(await store.read("out/photo-resize.jpg")).toBeUndefined();

    // What the time of its lease would do.
    await db().execute(sql`update jobs set lease_expires_at = now() - interval '1 second'`);
    store.stalls = false;
    ({ stop: stopRunner } = await startMediaRunner(shortTimes));
    const row = await waitForJobState(job.id, ({ status }) => status === "completed", 50_000);
    expect(row).toMatchObject({ runnerDeaths: 1, error: null });
    expect(row.engineEndedAt).toEqual(before.engineEndedAt);
    expect((await store.read("out/photo-resize.jpg"))?.length).toBe(row.outputs[0]?.bytes);
    expect((await store.list()).sort()).toEqual(["out/photo-resize.jpg", "photo.jpg"]);
  });
});
