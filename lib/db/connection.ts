import { env } from "#lib/env.ts";

/**
 * After so many seconds, a connection that is not used is closed. Undefined: it stays open, which is
 * faster. A serverless host may run many instances, and freeze each of them with its connections.
 */
export const idleSeconds = env.VERCEL === undefined ? undefined : 5;

/** The URL of the database for statements and transactions. Throws if this process was started without one. */
export function databaseUrl(): string {
  if (!env.DATABASE_URL) throw new Error("DATABASE_URL is not set for this process");
  return env.DATABASE_URL;
}

/**
 * The URL for what belongs to a session: LISTEN, advisory locks that outlive a transaction, and
 * migrations. A pooler in transaction mode would give them to whichever connection is free.
 */
export function sessionUrl(): string {
  return env.DATABASE_LISTEN_URL ?? databaseUrl();
}

/** Whether statements pass a pooler in transaction mode, and so have a URL of their own. */
export function isPooled(): boolean {
  return env.DATABASE_LISTEN_URL !== undefined;
}

/** How this process connects to `databaseUrl()`. */
export function connectionOptions() {
  // Behind a pooler in transaction mode, the next statement may get another connection, without what
  // this one has prepared. A pooler that keeps prepared statements is used with `?prepare=true`.
  const preparesNothing = isPooled() && !/[?&]prepare=/.test(databaseUrl());
  return {
    ...commonOptions(),
    ...socketOptions(),
    ...(preparesNothing && { prepare: false }),
    ...(idleSeconds !== undefined && { idle_timeout: idleSeconds }),
  };
}

/** How this process connects to `sessionUrl()`, with one connection that stays open. */
export function sessionOptions() {
  const path = env.DATABASE_LISTEN_URL === undefined ? socketOptions() : {};
  // By default, postgres.js replaces a connection after some time.
  return { ...commonOptions(), ...path, max: 1, max_lifetime: null, fetch_types: false };
}

function socketOptions() {
  const path = env.MEDIAMILL_DATABASE_SOCKET;
  return path ? { path } : {};
}

function commonOptions() {
  return {
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
