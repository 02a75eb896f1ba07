import type { JobRow } from "#lib/db/schema/jobs.ts";
import { followJob } from "#lib/jobs/follow/events.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { stoppingSignal } from "#lib/stopping.ts";
import { answerEventStream, formatEvent, signOfLife } from "./http/event-stream.ts";
import type { KeyedContext } from "./http/route.ts";
import { requireJob } from "./read-jobs.ts";

/** What is told of a job, and how much of it must change before it is told again. */
interface JobView {
  readonly tell: (row: JobRow) => unknown;
  readonly stateOf: (row: JobRow) => string;
}

const apiView: JobView = {
  tell: serializeJob,
  stateOf: ({ status, progress }) => `${status} ${progress}`,
};

/**
 * `GET /v1/jobs/{id}/events`: Server-Sent Events of type `job`, one on connect and one a change of
 * status or progress; the stream ends with the job.
 */
export async function answerEvents(
  context: KeyedContext,
  view: JobView = apiView,
): Promise<Response> {
  const { id } = await requireJob(context);
  const { account, request } = context;
  const over = AbortSignal.any([request.signal, stoppingSignal()]);
  return answerEventStream(writeEvents(followJob(account.id, id, over), view));
}

async function* writeEvents(rows: AsyncIterable<JobRow>, { tell, stateOf }: JobView) {
  let told = "";
  for await (const job of rows) {
    const state = stateOf(job);
    yield state === told ? signOfLife : formatEvent("job", tell(job));
    told = state;
  }
}
