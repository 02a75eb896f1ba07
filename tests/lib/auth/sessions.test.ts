import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { startSession } from "#lib/auth/next-auth/start-session.ts";
import { replacePassword } from "#lib/auth/replace-password.ts";
import { db } from "#lib/db/client.ts";
import {
  deleteOwnSession,
  findSession,
  listSessions,
  touchSession,
} from "#lib/db/queries/accounts/sessions.ts";
import { sweep } from "#lib/jobs/runner/sweep.ts";

let count = 0;
const unknownCaller = { address: undefined, userAgent: undefined, knownBrowser: undefined };

async function createAccountId(): Promise<string> {
  const account = await createAccount({ email: `session-${++count}@example.com` });
  if (!account) throw new Error("the account exists already");
  return account.id;
}

const start = (accountId: string, sessionId?: string) =>
  startSession(accountId, "password", { ...unknownCaller, sessionId });

it("each sign-in has a new id and ends the browser's previous session, also another account's", async () => {
  const mine = await createAccountId();
  const other = await createAccountId();
  const first = await start(other);
  const second = await start(mine, first);
  expect(second).not.toBe(first);
  expect(await findSession(db(), first)).toBeUndefined();
  expect((await findSession(db(), second))?.account.id).toBe(mine);
});

it("a session ends after thirty days, even if it is used", async () => {
  const id = await start(await createAccountId());
  const advance = (days: number) =>
    db().execute(
      sql`update sessions set expires_at = expires_at - make_interval(days => ${days}) where id = ${id}`,
    );
  await advance(29);
  await touchSession(db(), id);
  expect(await findSession(db(), id)).toBeDefined();
  await advance(1);
  expect(await findSession(db(), id)).toBeUndefined();
  await sweep();
  expect(await db().execute(sql`select id from sessions where id = ${id}`)).toHaveLength(0);
});

it("a session's last use is written at most once a minute", async () => {
  const id = await start(await createAccountId());
  const lastSeen = async () => (await findSession(db(), id))?.session.lastSeenAt.getTime() ?? 0;
  const before = await lastSeen();
  await touchSession(db(), id);
  expect(await lastSeen()).toBe(before);
  await db().execute(
    sql`update sessions set last_seen_at = now() - interval '61 seconds' where id = ${id}`,
  );
  await touchSession(db(), id);
  expect(await lastSeen()).toBeGreaterThanOrEqual(before);
});

it("an account keeps its fifty most recently used sessions", async () => {
  const mine = await createAccountId();
  const other = await createAccountId();
  const theirs = await start(other);
  const first = await start(mine);
  for (let count = 0; count < 50; count++) await start(mine);
  expect(await listSessions(db(), mine)).toHaveLength(50);
  expect(await findSession(db(), first)).toBeUndefined();
  expect(await findSession(db(), theirs)).toBeDefined();
});

it("another account's session cannot be ended", async () => {
  const mine = await createAccountId();
  const other = await createAccountId();
  const theirs = await start(other);
  await deleteOwnSession(db(), mine, theirs);
  expect(await findSession(db(), theirs)).toBeDefined();
});

it("a password change ends every session of the account, and of no other account", async () => {
  const mine = await createAccountId();
  const other = await createAccountId();
  await Promise.all([start(mine), start(mine), start(other)]);
  await replacePassword(mine, "purple lighthouse 9", { revokeKeys: false });
  expect([
    (await listSessions(db(), mine)).length,
    (await listSessions(db(), other)).length,
  ]).toEqual([0, 1]);
});
