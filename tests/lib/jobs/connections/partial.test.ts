import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createConnection } from "#lib/connections/manage.ts";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { previewClip } from "#lib/operations/video/preview-clip/index.ts";
import { plans } from "#lib/plans.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { makeLongVideos } from "#tests/samples/long-video.ts";
import {
  startS3Store,
  startSftpStore,
  startWebdavStore,
  type UserStore,
} from "#tests/servers/storage/user-stores.ts";
import { acceptJob, makeAccount, shortTimes, waitForJobState } from "#tests/service/jobs.ts";

/** Long videos in connections, of which jobs receive only what they need. */

const folder = mkdtempSync(join(tmpdir(), "mediamill-partial-"));
/** An hour of video. */
const videos = makeLongVideos(folder, 3600, "250k");
const videoBytes = statSync(videos.indexLast).size;
let stopRunner: (() => Promise<void>) | undefined;

beforeAll(async () => {
  ({ stop: stopRunner } = await startMediaRunner(shortTimes));
});

afterEach(async () => {
  await db().execute(sql`delete from jobs`);
});

afterAll(async () => {
  await stopRunner?.();
  rmSync(folder, { recursive: true });
});

describe.each([
  ["s3", "indexFirst", startS3Store],
  ["webdav", "indexLast", startWebdavStore],
  ["sftp", "indexLast", startSftpStore],
] as const)("an hour of video in a store with %s, %s", (type, file, start) => {
  let store: UserStore;

  beforeAll(async () => {
    store = await start();
    await store.putFile("long.mp4", videos[file]);
  });
  afterAll(() => store.close());

  /** Resolves with the id of a connection of the account to the store. */
  async function connect(account: Account): Promise<string> {
    const common = { name: "Store", prefix: "", access: "read", operations: null } as const;
    const { id } = await createConnection(account, { type, ...common, fields: store.fields });
    return id;
  }

  it.each([
    ["pipeline/file-inspect", {}],
    ["video/preview-clip", { start: 2000 }],
  ] as const)("is read in part by %s", async (operation, given) => {
    const account = await makeAccount();
    const id = await connect(account);
    const before = store.sentBytes;
    const params = operation === "video/preview-clip" ? previewClip.params.parse(given) : {};
    const job = await acceptJob(account, `${id}:long.mp4`, { operation, params });
    const row = await waitForJobState(job.id, undefined, 60_000);
    expect(row).toMatchObject({ status: "completed", error: null, attempts: 1 });
    const sent = store.sentBytes - before;
    expect(sent).toBeGreaterThan(100_000);
    expect(sent).toBeLessThan(12e6);
    expect(sent).toBeLessThan(videoBytes / 10);
  });

  it("counts as a whole toward the limit of the plan before it is read", async () => {
    const account = await makeAccount("pro");
    const id = await connect(account);
    const used = (plans.pro.monthlyBytes ?? 0) - 1;
    await db().execute(sql`
      insert into usage (account_id, period, used_bytes)
      values (${account.id}, ${periodOf(new Date())}, ${used})`);
    const job = await acceptJob(account, `${id}:long.mp4`);
    expect(await waitForJobState(job.id)).toMatchObject({ errorCode: "usage_limit_reached" });
  });
});
