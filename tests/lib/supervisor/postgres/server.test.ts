import { chownSync } from "node:fs";
import { rm } from "node:fs/promises";
import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase, startDatabase } from "#lib/supervisor/postgres/server.ts";
import {
  isAlive,
  ordinaryUserId,
  Program,
  temporaryFolder,
  users,
  waitUntil,
} from "#tests/support/processes.ts";

const driver = `${import.meta.dirname}/../../../service/database-driver.ts`;

describe.each(users)("as $user", ({ prefix }) => {
  async function start(folder: string) {
    const program = new Program([driver, folder], {}, prefix);
    onTestFinished(async () => {
      program.child.kill("SIGTERM");
      await program.finished;
    });
    await program.prints("\n");
    const { url, pid }: { url: string; pid: number } = JSON.parse(program.stdout);
    return { program, url, pid };
  }

  async function ownFolder() {
    const folder = await temporaryFolder();
    if (prefix.length > 0) chownSync(folder, ordinaryUserId, ordinaryUserId);
    return folder;
  }

  test("data and address outlive a stop and a start", async () => {
    const folder = await ownFolder();
    const first = await start(folder);
    await query(first.url, "create table kept as select 42 as answer");
    first.program.child.kill("SIGTERM");
    expect((await first.program.finished).code).toBe(0);
    expect(isAlive(first.pid)).toBe(false);
    const second = await start(folder);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  test("the server does not survive a kill of the process that started it, and starts again", async () => {
    const folder = await ownFolder();
    const first = await start(folder);
    await query(first.url, "create table kept as select 42 as answer");
    first.program.child.kill("SIGKILL");
    await waitUntil(() => !isAlive(first.pid));
    const second = await start(folder);
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });
});

test("a server that an earlier start left running is stopped first", async () => {
  const folder = await temporaryFolder();
  const left = await startDatabase(folder);
  await openDatabase(folder);
  await waitUntil(() => !isAlive(left.pid));
});

test("after a kill of the server amid a query it starts again at once", async () => {
  const folder = await temporaryFolder();
  const killed = await startDatabase(folder);
  const busy = query(killed.url, "select count(*) from generate_series(1, 1e9)").catch(() => {});
  await waitUntil(async () => (await query(killed.url, busyQueries))[0]?.busy === true);
  process.kill(killed.pid, "SIGKILL");
  const started = await startDatabase(folder);
  onTestFinished(() => started.stop());
  await busy;
  expect(await query(started.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a lost password is replaced, and the data stay", async () => {
  const folder = await temporaryFolder();
  const first = await startDatabase(folder);
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();
  await rm(`${folder}/postgres-password`);
  const second = await startDatabase(folder);
  onTestFinished(() => second.stop());
  expect(second.url).not.toBe(first.url);
  expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("the service's user is no superuser, and nobody enters without the password", async () => {
  const folder = await temporaryFolder();
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
