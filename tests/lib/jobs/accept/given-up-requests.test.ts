import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { withDatabaseWatchdog } from "#lib/api/http/database-watchdog.ts";
import { withoutConcurrentRepeats } from "#lib/api/job-creation/idempotency.ts";
import { connect } from "#lib/db/client.ts";
import { databaseUrl } from "#lib/db/connection.ts";
import { env } from "#lib/env.ts";

/** Lets every statement of this process wait, until the returned function is called. */
async function hangDatabase(): Promise<() => Promise<void>> {
  const holder = postgres(databaseUrl(), { max: 1 });
  onTestFinished(() => holder.end());
  await holder`select pg_advisory_lock(1)`;
  const waiting = Array.from({ length: env.DATABASE_POOL }, () =>
    connect()`select pg_advisory_xact_lock(1)`.execute(),
  );
  return async () => {
    await holder.end();
    await Promise.all(waiting);
  };
}

/** Sends a request with the one `Idempotency-Key`, which is responded to by `respond`. */
function send() {
  const headers = { "idempotency-key": "key" };
  const request = new Request("http://localhost/v1/image/resize", { method: "POST", headers });
  const started = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const handled = withoutConcurrentRepeats(request, "account", undefined, () => {
    started.resolve();
    return promise;
  });
  const response = withDatabaseWatchdog(request, handled, () => false);
  return {
    response,
    /** Resolves once the request is worked on; rejects if it is refused. */
    start: () => Promise.race([started.promise, response]),
    async respond(): Promise<void> {
      resolve(new Response());
      await handled;
    },
  };
}

test("a request that the watchdog has rejected does not keep its Idempotency-Key", async () => {
  const first = send();
  await first.start();
  const resume = await hangDatabase();
  await expect(first.response).rejects.toMatchObject({ name: "DatabaseTimeoutError" });
  await resume();
  const second = send();
  await second.start();
  await first.respond();
  // The end of the first one does not free the key of the second one.
  await expect(send().start()).rejects.toMatchObject({ code: "conflict" });
  await second.respond();
  expect((await second.response).status).toBe(200);
});
