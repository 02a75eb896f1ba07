import { type SQL, sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { env } from "#lib/env.ts";
import { compile } from "./statement.ts";
import * as schema from "./tables.ts";

export type Database = PostgresJsDatabase<typeof schema>;

/** What queries run on: the connection pool or a transaction. */
export type Queryable = Pick<
  Database,
  "select" | "insert" | "update" | "delete" | "execute" | "with" | "$with"
>;

let connection: postgres.Sql | undefined;
let database: Database | undefined;

/** The URL of the database. Throws if this process was started without one. */
export function databaseUrl(): string {
  if (!env.DATABASE_URL) throw new Error("DATABASE_URL is not set for this process");
  return env.DATABASE_URL;
}

/** The one connection pool of this process, opened at first use. */
export function connect(): postgres.Sql {
  connection ??= postgres(databaseUrl(), { ...connectionOptions(), max: 10 });
  return connection;
}

/** How this process reaches the database, for every connection. */
export function connectionOptions() {
  const path = env.MEDIAMILL_DATABASE_SOCKET;
  return {
    ...(path ? { path } : {}),
    onnotice: () => {},
    connect_timeout: 5,
    // Reconnects quickly, however long the database was unavailable. By default, postgres.js waits up to 20 s.
    backoff: () => 0.25 + Math.random() / 4,
    // With its default of 100, postgres.js does not reserve the connection for a BEGIN that is the
    // 100th statement on it. Later statements of others would then be part of that transaction.
    max_pipeline: 1_000_000,
    connection: { application_name: `mediamill-${env.MEDIAMILL_SERVICE}` },
  };
}

export function db(): Database {
  database ??= drizzle(preparing(connect()), { schema, casing: "snake_case" });
  return database;
}

/**
 * The same connections, but every statement is prepared: parsed once per connection, and sent in one
 * round trip from its second use. By default, Drizzle prepares none. A pooler that cannot keep prepared
 * statements needs `?prepare=false` in the URL.
 */
function preparing<Client extends postgres.Sql | postgres.TransactionSql>(client: Client): Client {
  const unsafe: postgres.Sql["unsafe"] = (text, values, options) =>
    // A statement without parameters may be several statements, which cannot be prepared.
    client.unsafe(text, values, { ...options, prepare: (values?.length ?? 0) > 0 });
  const begin = (work: (tx: postgres.TransactionSql) => unknown) =>
    (client as postgres.Sql).begin((tx) => work(preparing(tx)));
  return Object.assign(Object.create(client) as Client, { unsafe, begin });
}

/** Runs `work` in one transaction. */
export function transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
  return db().transaction(work);
}

/** The connection of `runTogether`. */
let single: postgres.Sql | undefined;

/**
 * Runs statements in one transaction and one round trip, on a connection of its own: they are sent
 * without waiting for the results of earlier ones, so none can depend on them in this process. Returns
 * the rows of each.
 */
export async function runTogether(
  statements: readonly SQL[],
): Promise<Record<string, unknown>[][]> {
  single ??= postgres(databaseUrl(), { ...connectionOptions(), max: 1 });
  const connection = single;
  // Without parameters, postgres.js would send a statement unprepared.
  const options = { prepare: true, simple: false };
  const send = (text: string, values: unknown[] = []) =>
    connection.unsafe(text, values as never[], options).execute();
  const sent = [
    send("begin"),
    ...statements.map(compile).map(({ text, values }) => send(text, values)),
    send("commit"),
  ];
  const results = await Promise.allSettled(sent);
  const failed = results.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return results
    .slice(1, -1)
    .map((result) => (result.status === "fulfilled" ? [...result.value] : []));
}

/** Sends `payload` to the listeners of `channel`, after the transaction commits. */
export async function notify(db: Queryable, channel: string, payload: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`);
}

/**
 * Calls `onMessage` for every notification on `channel`, until stopped. Reconnects by itself. `onListen`
 * is called after every connect and reconnect: notifications sent before it are lost.
 */
export async function listen(
  channel: string,
  onMessage: (payload: string) => void,
  onListen: () => void = () => {},
): Promise<() => Promise<void>> {
  const { unlisten } = await connect().listen(channel, onMessage, onListen);
  return unlisten;
}

export async function disconnect(): Promise<void> {
  await Promise.all([connection?.end({ timeout: 5 }), single?.end({ timeout: 5 })]);
  connection = undefined;
  single = undefined;
  database = undefined;
}
