import { Readable } from "node:stream";

/** A response of Server-Sent Events: each text of `events` is one or more whole events. */
export function answerEventStream(events: AsyncGenerator<string>): Response {
  const body = Readable.from(events, { objectMode: false });
  // Node's and the DOM's types of the same web stream differ in name only.
  return new Response(Readable.toWeb(body) as ReadableStream, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      // nginx would hold the events back until its buffer is full.
      "X-Accel-Buffering": "no",
    },
  });
}

/** One event; `data` is any JSON. */
export function formatEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A comment keeps proxies from closing a stream on which nothing happens. */
export const signOfLife = ": still there\n\n";
