import { Readable } from "node:stream";
import { type Grant, isGrantValid, watchGrant } from "#lib/auth/access/grants.ts";
import { stoppingSignal } from "#lib/stopping.ts";
import type { AccountCaller } from "../../definition/access.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import { openStreamSlot } from "../slots/stream-slots.ts";
import { grantOf } from "./grants.ts";

/**
 * A response of Server-Sent Events. Each text that `open` yields is one or more whole events. It ends when
 * `open` ends, and within 5 s when its caller loses access: no event is sent after that. The signal of
 * `open` is aborted then, when the client disconnects, and when the service stops. Throws `rate_limited`
 * if the caller has too many streams.
 */
export function eventStreamResponse(
  caller: AccountCaller & RequestContext,
  open: (signal: AbortSignal) => AsyncIterable<string>,
): Response {
  const grant = grantOf(caller);
  const closeSlot = openStreamSlot(grant, caller.account.id);
  const ended = new AbortController();
  const unwatch = watchGrant(grant, () => ended.abort());
  const signal = AbortSignal.any([caller.request.signal, stoppingSignal(), ended.signal]);
  const body = Readable.from(whileValid(open(signal), grant), { objectMode: false });
  body.once("close", () => {
    unwatch();
    closeSlot();
  });
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

async function* whileValid(events: AsyncIterable<string>, grant: Grant): AsyncGenerator<string> {
  for await (const text of events) {
    if (!text.endsWith(keepAliveComment) && !(await isGrantValid(grant))) return;
    yield text;
  }
}

/** One event; `data` is any JSON. With its `id`, a client that reconnects says which it got last. */
export function formatEvent(name: string, data: unknown, id?: string): string {
  const line = id === undefined ? "" : `id: ${id}\n`;
  return `${line}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A comment that keeps proxies from closing an idle stream. */
export const keepAliveComment = ": keep-alive\n\n";
