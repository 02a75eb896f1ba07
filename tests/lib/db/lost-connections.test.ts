import { connect, type Socket } from "node:net";
import postgres from "postgres";
import { afterEach, beforeEach, expect, it } from "vitest";
import { databaseUrl } from "#lib/db/connection.ts";

/** What postgres.js does with statements while it loses its connection. */

let socket: Socket;
let sql: postgres.Sql;

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
