import { pingDatabase } from "#lib/db/ping.ts";

/** How long a request may take before anyone asks whether the database is still there. */
const patienceMs = 3000;

/** How long the database may then be silent. */
const silenceMs = 5000;

/** The one question that all slow requests of this process wait for. */
let asking: Promise<void> | undefined;

/**
 * What `work` gives; rejects where the database falls silent meanwhile. A database that is gone
 * refuses connections, and queries fail at once; but one that hangs, or is cut off, only keeps
 * everybody waiting.
 */
export async function unlessSilent<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setInterval(() => {
    asking ??= pingDatabase(silenceMs).finally(() => {
      asking = undefined;
    });
    asking.catch(reject);
  }, patienceMs);
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearInterval(timer);
  }
}
