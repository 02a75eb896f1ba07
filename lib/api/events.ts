import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs.ts";
import { describeJob } from "#lib/jobs/describe.ts";
import { isFinal, watchJob } from "#lib/jobs/events.ts";
import { requireJob } from "./read-jobs.ts";
import type { KeyedContext } from "./route.ts";

/** How often a stream looks by itself, should a notification have been lost; also keeps it open. */
const pollMs = 5000;

/**
 * `GET /v1/jobs/{id}/events`: Server-Sent Events of type `job`, one on connect and one a change of
 * status or progress; the stream ends with the job.
 */
export async function answerEvents(context: KeyedContext): Promise<Response> {
  const { id } = await requireJob(context);
  const encoder = new TextEncoder();
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const ended = new AbortController();
      let wake = () => {};
      const unwatch = await watchJob(id, () => wake());
      const timer = setInterval(() => wake(), pollMs);
      stop = () => {
        clearInterval(timer);
        unwatch();
        ended.abort();
        wake();
      };
      context.request.signal.addEventListener("abort", stop, { once: true });
      void send().catch((error) => controller.error(error));

      async function send() {
        let last = "";
        while (!ended.signal.aborted) {
          // Armed before the read, so that a change between the read and the wait is not missed.
          const changed = new Promise<void>((resolve) => {
            wake = resolve;
          });
          const job = await findJob(db(), context.account.id, id);
          const state = job ? `${job.status} ${job.progress}` : "";
          if (ended.signal.aborted) return;
          if (job && state !== last) {
            const event = `event: job\ndata: ${JSON.stringify(describeJob(job))}\n\n`;
            controller.enqueue(encoder.encode(event));
          } else {
            controller.enqueue(encoder.encode(": still there\n\n"));
          }
          last = state;
          if (!job || isFinal(job)) {
            controller.close();
            stop();
            return;
          }
          await changed;
        }
      }
    },
    cancel: () => stop(),
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      // nginx would hold the events back until its buffer is full.
      "X-Accel-Buffering": "no",
    },
  });
}
