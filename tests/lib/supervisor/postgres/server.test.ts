import { chownSync } from "node:fs";
import { rm } from "node:fs/promises";
import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase, startDatabase } from "#lib/supervisor/postgres/server.ts";
import { copyDatabase } from "#tests/service/database/cluster-template.ts";
import {
  isAlive,
  Program,
  temporaryFolder,
  unprivilegedUserId,
  users,
  waitUntil,
} from "#tests/support/processes.ts";

const driver = `${import.meta.dirname}/../../../service/database/database-driver.ts`;

describe.each(users)("as $user", ({ prefix }) => {
  async function start(folder: string) {
    const program = new Program([driver, folder], {}, prefix);
    onTestFinished(async () => {
      program.child.kill("SIGTERM");
      await program.exited;
    });
    await program.waitForOutput("\n");
    const { url, pid }: { url: string; pid: number } = JSON.parse(program.stdout);
    return { program, url, pid };
  }

  async function createFolder() {
    const folder = await temporaryFolder();
    if (prefix.length > 0) chownSync(folder, unprivilegedUserId, unprivilegedUserId);
    return folder;
  }

  test("data and URL survive a restart, also after a kill of the process that started the server", async () => {
    const folder = await createFolder();
    const first = await start(folder);
    await query(first.url, "create table kept as select 42 as value");
    first.program.child.kill("SIGTERM");
    expect((await first.program.exited).code).toBe(0);
    expect(isAlive(first.pid)).toBe(false);
    const second = await start(folder);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, "select value from kept")).toEqual([{ value: 42 }]);
    second.program.child.kill("SIGKILL");
    // The server does not survive it.
    await waitUntil(() => !isAlive(second.pid));
    const third = await start(folder);
    expect(third.url).toBe(first.url);
    expect(await query(third.url, "select value from kept")).toEqual([{ value: 42 }]);
  });
});

test("a stale server of an earlier start is stopped first", async () => {
  const folder = await copyCluster();
  const stale = await startDatabase(folder);
  await openDatabase(folder);
  await waitUntil(() => !isAlive(stale.pid));
});

test("after a kill during a query the server restarts at once", async () => {
  const folder = await copyCluster();
  const killed = await startDatabase(folder);
  const busy = query(killed.url, "select count(*) from generate_series(1, 1e9)").catch(() => {});
  await waitUntil(async () => (await query(killed.url, busyQueries))[0]?.busy === true);
  process.kill(killed.pid, "SIGKILL");
  const started = await startDatabase(folder);
  onTestFinished(() => started.stop());
  await busy;
  expect(await query(started.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a lost password is replaced, and the data remains", async () => {
  const folder = await copyCluster();
  const first = await startDatabase(folder);
  await query(first.url, "create table kept as select 42 as value");
  await first.stop();
  await rm(`${folder}/postgres-password`);
  const second = await startDatabase(folder);
  onTestFinished(() => second.stop());
  expect(second.url).not.toBe(first.url);
  expect(await query(second.url, "select value from kept")).toEqual([{ value: 42 }]);
});

test("the service's user is not a superuser, and a wrong password is rejected", async () => {
  const folder = await copyCluster();
  const database = await startDatabase(folder);
  onTestFinished(() => database.stop());
  const settings = await query(
    database.url,
    "select current_setting('is_superuser') as super, current_setting('fsync') as fsync",
  );
  expect(settings).toEqual([{ super: "off", fsync: "on" }]);
  await expect(query(database.url.replace(/:[^:@]+@/, ":wrong@"), "select 1")).rejects.toThrow(
    "password",
  );
});

/** A folder with a cluster that was created before: to create one takes most of such a test. */
async function copyCluster(): Promise<string> {
  const folder = await temporaryFolder();
  await copyDatabase(folder);
  return folder;
}

const busyQueries =
  "select count(*) > 0 as busy from pg_stat_activity where query like '%1e9%' and state = 'active' and pid <> pg_backend_pid()";

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end({ timeout: 1 });
  }
}
