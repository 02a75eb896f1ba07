import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { afterEach, beforeEach, expect, it } from "vitest";
import { databaseUrl } from "#lib/db/connection.ts";

/** What postgres.js does with statements while it loses its connection. */

let socket: Socket;
let sql: postgres.Sql;
/** The process of the database to which the connection belongs. */
let backend: { readonly pid: number } | undefined;

beforeEach(async () => {
  const { hostname, port } = new URL(databaseUrl());
  const options = {
    max: 1,
    backoff: () => 0,
    socket: () => {
      socket = connect(Number(port), hostname);
      return socket;
    },
  };
  sql = postgres(databaseUrl(), options as postgres.Options<Record<string, never>>);
  await sql`select 1`;
});
afterEach(() => sql.end({ timeout: 1 }));

/** Runs a statement. It is sent before the socket has closed. */
const run = () => sql`select 2 as two`.then(String, String);

it("rejects a statement between the error of the connection and its end", async () => {
  const lost = new Promise((resolve) => socket.once("error", resolve));
  socket.destroy(new Error("reset"));
  await lost;
  expect(await run()).toContain("CONNECTION_CLOSED");
  expect(await sql`select 2 as two`).toEqual([{ two: 2 }]);
});

it("connects again after the end of a connection to which a statement was to be written", async () => {
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const result = new Promise((resolve) => setImmediate(() => resolve(run())));
  socket.destroy(new Error("reset"));
  await closed;
  await result;
  expect(await sql`select 2 as two`).toEqual([{ two: 2 }]);
});

/** Ends the connection as the database does when it is stopped: with an error, then without one of the socket. */
async function terminate() {
  const other = postgres(databaseUrl(), { max: 1 });
  await other`select pg_terminate_backend(${backend?.pid ?? 0})`;
  await other.end();
}
async function readBackend() {
  [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
}

it("rejects a transaction whose connection is lost, and runs nothing of it on the next one", async () => {
  await sql`create table lost_connections (id int)`;
  await readBackend();
  const early = sql.begin(async (tx) => {
    await tx`select pg_sleep(60)`;
  });
  const rejected = expect(early).rejects.toThrow();
  await wait(200);
  await terminate();
  await rejected;
  await readBackend();
  const late = sql.begin(async (tx) => {
    await tx`insert into lost_connections values (1)`;
    await terminate();
    await expect.poll(() => socket.destroyed).toBe(true);
    await tx`insert into lost_connections values (2)`;
  });
  await expect(late).rejects.toThrow("CONNECTION_CLOSED");
  // Its ROLLBACK has been sent by now, if any.
  await wait(100);
  expect(await sql`select * from lost_connections`).toEqual([]);
});

it("gives the next statement neither the error nor the rows of one that was lost", async () => {
  await readBackend();
  const lost = sql`
    select repeat('x', 3000), pg_sleep(case when row < 10 then 0 else 60 end)::text
    from generate_series(1, 20) row`.then(String, String);
  await wait(300);
  await terminate();
  expect(await lost).toContain("CONNECTION_CLOSED");
  await expect.poll(() => socket.destroyed).toBe(true);
  for (const two of [2, 2, 2]) expect(await sql`select ${two}::int as two`).toEqual([{ two }]);
});

it.each([
  ["closes its connections, as a proxy without a server", ""],
  ["is starting", "SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"],
])("rejects a statement while the database %s, and seldom connects", async (_, fields) => {
  let connections = 0;
  const server = createServer((client) => {
    connections++;
    client.on("error", () => {});
    const error = Buffer.from(`E\0\0\0\0${fields}`);
    error.writeInt32BE(error.length - 1, 1);
    if (fields === "") client.destroy();
    else client.once("data", () => client.end(error));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl());
  url.port = String((server.address() as AddressInfo).port);
  const other = postgres(url.href, { max: 1, backoff: () => 0.1 });
  const statement = () => other`select 2 as two`.then(String, String);
  // The second one begins with what the first one has left.
  for (const _ of [1, 2]) expect(await statement()).toMatch(/CONNECTION_CLOSED|starting up/);
  expect(connections).toBe(2);
  await other.end({ timeout: 1 });
  server.close();
});
