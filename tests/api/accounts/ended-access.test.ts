import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { type Client, createClient } from "#tests/service/http/client.ts";
import { expectError } from "#tests/support/expect-error.ts";

const file = { bytes: "hello", filename: "a.txt" };

/** Ways to lose access, with the SQL condition of the account's rows. */
const endings = {
  "its key is revoked": (accountId: string) =>
    withServiceDatabase(
      (sql) => sql`update api_keys set revoked_at = now() where account_id = ${accountId}`,
    ),
  "its key expires": (accountId: string) =>
    withServiceDatabase(
      (sql) => sql`update api_keys set expires_at = now() where account_id = ${accountId}`,
    ),
  "its account is suspended": (accountId: string) => setAccount(accountId, "suspended_at", true),
  "its account is closed": (accountId: string) => setAccount(accountId, "deleted_at", true),
};

function setAccount(accountId: string, column: string, isSet: boolean) {
  return withServiceDatabase(
    (sql) =>
      sql`update accounts set ${sql(column)} = ${isSet ? new Date() : null} where id = ${accountId}`,
  );
}

async function accountOf(client: { readonly email: string }): Promise<string> {
  const rows = await withServiceDatabase(
    (sql) => sql<{ id: string }[]>`select id from accounts where email = ${client.email}`,
  );
  return rows[0]?.id ?? "";
}

/** A job that no runner takes, because it is not due. */
async function insertWaitingJob(client: Client): Promise<string> {
  const { id } = await client.run("pipeline/file-inspect", file);
  await withServiceDatabase(
    (sql) => sql`
      update jobs set status = 'pending', lease_token = null, completed_at = null,
        run_after = now() + interval '1 hour'
      where id = ${id}`,
  );
  return id;
}

async function openStream(client: Client, path: string) {
  const response = await client.request(path);
  expect(response.status).toBe(200);
  if (!response.body) throw new Error("no stream");
  const reader = response.body.getReader();
  await reader.read();
  return {
    close: () => reader.cancel(),
    /** All text until the stream ends, and how long that took. */
    async readRest() {
      const startedAt = Date.now();
      let text = "";
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        text += Buffer.from(next.value).toString();
      }
      return { text, ms: Date.now() - startedAt };
    },
  };
}

describe.each(Object.keys(endings) as (keyof typeof endings)[])("when %s", (ending) => {
  it("open event streams and long polls end within 5 s and show nothing more", async () => {
    const client = await createClient();
    const accountId = await accountOf(client);
    const waiting = await insertWaitingJob(client);
    const streams = [
      await openStream(client, "/v1/events"),
      await openStream(client, `/v1/jobs/${waiting}/events`),
    ];
    const poll = client.request(`/v1/jobs/${waiting}?wait=30`);
    // Longer than a wait that is not checked again.
    await sleep(400);
    await endings[ending](accountId);
    // The event of a completed job would carry a signed link.
    await withServiceDatabase(async (sql) => {
      await sql`update jobs set status = 'completed', completed_at = now() where id = ${waiting}`;
      await sql`select pg_notify('job_changed', ${`${accountId} ${waiting} completed`})`;
    });
    for (const rest of await Promise.all(streams.map((stream) => stream.readRest()))) {
      expect(rest.text).not.toContain("data:");
      // Time for a slow machine. Without an end, a stream stays open for minutes.
      expect(rest.ms).toBeLessThan(20_000);
    }
    const answer = await poll;
    expect([401, 403]).toContain(answer.status);
  });
});

describe("the signed links of a suspended account", () => {
  it("are refused until it is restored", async () => {
    const client = await createClient();
    const accountId = await accountOf(client);
    const job = await client.run("pipeline/file-inspect", file);
    const link = job.outputs[0]?.url ?? "";
    const created = await client.postJson("/v1/uploads", { filename: "a.txt", bytes: 5 });
    const upload = (await created.json()) as { url: string };
    const send = () => fetch(upload.url, { method: "PUT", body: "hello" });
    expect((await fetch(link)).status).toBe(200);
    await setAccount(accountId, "suspended_at", true);
    await expectError(await fetch(link), "forbidden");
    await expectError(await send(), "forbidden");
    await setAccount(accountId, "suspended_at", false);
    expect((await fetch(link)).status).toBe(200);
    expect((await send()).status).toBe(204);
    await setAccount(accountId, "deleted_at", true);
    await expectError(await fetch(link), "gone");
  });
});

it("the test receiver of a suspended account takes nothing", async () => {
  const client = await createClient();
  const accountId = await accountOf(client);
  const token = randomBytes(16).toString("hex");
  await withServiceDatabase(
    (sql) => sql`insert into webhook_receivers (account_id, token) values (${accountId}, ${token})`,
  );
  const send = () =>
    fetch(`${inject("service").url}/hooks/${token}`, { method: "POST", body: "hello" });
  expect((await send()).status).toBe(200);
  await setAccount(accountId, "suspended_at", true);
  await expectError(await send(), "not_found");
});

it("an account has at most 20 event streams; another can be opened when one is closed", async () => {
  const client = await createClient();
  const streams = [];
  for (let count = 0; count < 20; count++) streams.push(await openStream(client, "/v1/events"));
  const head = await client.request("/v1/events", { method: "HEAD" });
  expect(head.status).toBe(429);
  const message = await expectError(await client.request("/v1/events"), "rate_limited");
  expect(message).toContain("20 event streams");
  const other = await createClient();
  await (await openStream(other, "/v1/events")).close();
  await streams.pop()?.close();
  await expect
    .poll(async () => {
      const response = await client.request("/v1/events");
      await response.body?.cancel();
      return response.status;
    })
    .toBe(200);
  for (const stream of streams) await stream.close();
});
