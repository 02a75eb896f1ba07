import { db } from "#lib/db/client.ts";
import { findSession } from "#lib/db/queries/accounts/sessions.ts";
import { followAccountJobs } from "#lib/jobs/follow/account-events.ts";
import { stoppingSignal } from "#lib/stopping.ts";
import { answerEventStream, formatEvent, signOfLife } from "./http/event-stream.ts";

/** How long after its end a session may still be told of changes, in milliseconds. */
const sessionCheckMs = 20_000;

/** A job's id, as `?job=` names those that the page shows. */
const jobId = /^job_[0-9A-Za-z]{24}$/;

const maxKnown = 100;

/**
 * The dashboard's live channel: Server-Sent Events of type `jobs`, each a list of `JobSummary`.
 * First come the newest jobs and those named by `?job=` (at most 100 of them), then every one that
 * changed. The stream ends with the session.
 */
export function answerAccountEvents(
  account: { readonly id: string; readonly sessionId: string },
  request: Request,
): Response {
  const named = new URL(request.url).searchParams.getAll("job");
  const known = named.filter((id) => jobId.test(id)).slice(0, maxKnown);
  const over = AbortSignal.any([request.signal, stoppingSignal()]);
  return answerEventStream(writeEvents(account, known, over));
}

async function* writeEvents(
  account: { readonly id: string; readonly sessionId: string },
  known: readonly string[],
  signal: AbortSignal,
) {
  let checkedAt = Date.now();
  for await (const jobs of followAccountJobs(account.id, known, signal)) {
    if (Date.now() - checkedAt >= sessionCheckMs) {
      if (!(await findSession(db(), account.sessionId))) return;
      checkedAt = Date.now();
    }
    yield jobs.length === 0 ? signOfLife : formatEvent("jobs", jobs);
  }
}
