import { Readable } from "node:stream";

/** A response of Server-Sent Events. Each text of `events` is one or more whole events. */
export function eventStreamResponse(events: AsyncGenerator<string>): Response {
  const body = Readable.from(events, { objectMode: false });
  // Node and the DOM type the same web stream differently.
  return new Response(Readable.toWeb(body) as ReadableStream, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      // Stops nginx from buffering the events.
      "X-Accel-Buffering": "no",
    },
  });
}

/** One event; `data` is any JSON. With its `id`, a client that reconnects says which it got last. */
export function formatEvent(name: string, data: unknown, id?: string): string {
  const line = id === undefined ? "" : `id: ${id}\n`;
  return `${line}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A comment that keeps proxies from closing an idle stream. */
export const keepAliveComment = ": keep-alive\n\n";
