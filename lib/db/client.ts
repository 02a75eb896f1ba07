import { type SQL, sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { env } from "#lib/env.ts";
import { connectionOptions, databaseUrl, isPooled } from "./connection.ts";
import { watched } from "./idle-connections.ts";
import { stopListening } from "./listen.ts";
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

/** The one connection pool of this process, opened at first use. */
export function connect(): postgres.Sql {
  connection ??= postgres(databaseUrl(), { ...connectionOptions(), max: env.DATABASE_POOL });
  return connection;
}

export function db(): Database {
  database ??= drizzle(preparing(connect()), { schema, casing: "snake_case" });
  return database;
}

/**
 * Options of a statement after which postgres.js sends no other on the connection until its result is there.
 * It would send one at once after a statement without parameters. PgBouncer 1.18, of Debian 12, gives its
 * connection to the database back with the first result, and what the second waits for never arrives.
 */
const sentAlone = { onexecute: () => false };

/**
 * The same connections, but every statement is prepared: parsed once per connection, and sent in one
 * round trip from its second use. By default, Drizzle prepares none, and with `prepare: false` in the
 * options of the connection, postgres.js prepares none either.
 */
function preparing<Client extends postgres.Sql | postgres.TransactionSql>(client: Client): Client {
  const alone = isPooled() ? sentAlone : {};
  const unsafe: postgres.Sql["unsafe"] = (text, values, options) =>
    // A statement without parameters may be several statements, which cannot be prepared.
    watched(
      client.unsafe(text, values, { ...options, ...alone, prepare: (values?.length ?? 0) > 0 }),
    );
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
  const begin = send("begin");
  const rest = [
    ...statements.map(compile).map(({ text, values }) => send(text, values)),
    send("commit"),
  ];
  // Those that are not sent yet would run on the next connection, without a transaction.
  begin.catch(() => {
    for (const one of rest) one.cancel();
  });
  const results = await Promise.allSettled([begin, ...rest]);
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

export async function disconnect(): Promise<void> {
  await Promise.all([
    connection?.end({ timeout: 5 }),
    single?.end({ timeout: 5 }),
    stopListening(),
  ]);
  connection = undefined;
  single = undefined;
  database = undefined;
}
