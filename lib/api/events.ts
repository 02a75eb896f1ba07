import { Readable } from "node:stream";
import { describeJob } from "#lib/jobs/describe.ts";
import { followJob } from "#lib/jobs/events.ts";
import { stoppingSignal } from "#lib/stopping.ts";
import { requireJob } from "./read-jobs.ts";
import type { KeyedContext } from "./route.ts";

/**
 * `GET /v1/jobs/{id}/events`: Server-Sent Events of type `job`, one on connect and one a change of
 * status or progress; the stream ends with the job.
 */
export async function answerEvents(context: KeyedContext): Promise<Response> {
  const { id } = await requireJob(context);
  const { account, request } = context;
  const over = AbortSignal.any([request.signal, stoppingSignal()]);
  const events = Readable.from(writeEvents(account.id, id, over), { objectMode: false });
  // Node's and the DOM's types of the same web stream differ in name only.
  return new Response(Readable.toWeb(events) as ReadableStream, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      // nginx would hold the events back until its buffer is full.
      "X-Accel-Buffering": "no",
    },
  });
}

async function* writeEvents(accountId: string, id: string, signal: AbortSignal) {
  let told = "";
  for await (const job of followJob(accountId, id, signal)) {
    const state = `${job.status} ${job.progress}`;
    // A comment keeps proxies from closing a stream on which nothing happens.
    if (state === told) yield ": still there\n\n";
    else yield `event: job\ndata: ${JSON.stringify(describeJob(job))}\n\n`;
    told = state;
  }
}
