import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { sessionOptions, sessionUrl } from "./connection.ts";

/** How long until it is tried again to take the lock, while the database is unavailable. */
const retryMs = 250;

/**
 * Holds an advisory lock on `name` in a session of its own, until stopped. PostgreSQL releases the lock
 * as soon as this process dies, so others learn of it long before a heartbeat is missed. If the
 * connection is lost, the lock is taken again at once. Never throws: without the lock, the process only
 * seems dead. `isPresent` in `queries/jobs/runners.ts` reads the lock.
 */
export function holdPresence(name: string): () => Promise<void> {
  let isStopped = false;
  let isTaking = false;
  const take = async () => {
    if (isTaking) return;
    isTaking = true;
    while (!isStopped) {
      try {
        await session`select pg_advisory_lock(hashtextextended(${name}, 0))`;
        break;
      } catch (err) {
        if (!isStopped) log.warn({ err, name }, "presence lock not taken; it is tried again");
        await wait(retryMs, undefined, { ref: false });
      }
    }
    isTaking = false;
  };
  const session = postgres(sessionUrl(), {
    ...sessionOptions(),
    onclose: () => void take(),
    connection: { application_name: `mediamill-${env.MEDIAMILL_SERVICE}-presence` },
  });
  void take();
  return async () => {
    isStopped = true;
    await session.end({ timeout: 1 });
  };
}
