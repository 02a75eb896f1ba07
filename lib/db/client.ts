import { sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { env } from "#lib/env.ts";
import * as schema from "./schema/index.ts";

export type Database = PostgresJsDatabase<typeof schema>;

/** What queries run on: the pool, or a transaction of it; they need not know which. */
export type Queryable = Pick<Database, "select" | "insert" | "update" | "delete" | "execute">;

let connection: postgres.Sql | undefined;
let database: Database | undefined;

/** The address of the database; whoever starts this process sets it. */
export function databaseUrl(): string {
  if (!env.DATABASE_URL) throw new Error("DATABASE_URL is not set for this process");
  return env.DATABASE_URL;
}

/** The one connection pool of this process, opened at first use. */
export function connect(): postgres.Sql {
  connection ??= postgres(databaseUrl(), {
    max: 10,
    // Ids are text and times are ISO in our code; nothing else needs a parser of its own.
    onnotice: () => {},
    connect_timeout: 5,
    // A database that is back is noticed at once, however long it was away; postgres.js waits up to 20 s.
    backoff: () => 0.25 + Math.random() / 4,
    connection: { application_name: `mediamill-${env.MEDIAMILL_PART}` },
  });
  return connection;
}

export function db(): Database {
  database ??= drizzle(connect(), { schema, casing: "snake_case" });
  return database;
}

/** Runs `work` in one transaction: all of it happens, or none. */
export function transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
  return db().transaction(work);
}

/** Tells `payload` to the listeners of `channel`, once the transaction has committed. */
export async function notify(db: Queryable, channel: string, payload: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`);
}

/**
 * Calls `onMessage` for every notification on `channel`, across reconnections, until stopped.
 * `onListen` is called whenever the channel is open, again too: what was told before then is missed.
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
  await connection?.end({ timeout: 5 });
  connection = undefined;
  database = undefined;
}
