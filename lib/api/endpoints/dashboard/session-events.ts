import { db } from "#lib/db/client.ts";
import { findSession } from "#lib/db/queries/accounts/sessions.ts";
import { stoppingSignal } from "#lib/stopping.ts";
import type { SessionCaller } from "../../definition/access.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import { eventStreamResponse, formatEvent, keepAliveComment } from "../../http/event-stream.ts";

/** How often an open stream checks its session, in milliseconds. */
const sessionCheckMs = 20_000;

/**
 * A stream of events with this name, until the session ends. `follow` yields the data of each, and what `isKeepAlive`
 * accepts is sent as a comment instead.
 */
export function sessionEventStream<Data>(
  { request, sessionId }: SessionCaller & RequestContext,
  name: string,
  follow: (signal: AbortSignal) => AsyncIterable<Data>,
  isKeepAlive: (data: Data) => boolean,
): Response {
  const signal = AbortSignal.any([request.signal, stoppingSignal()]);
  return eventStreamResponse(format(sessionId, name, follow(signal), isKeepAlive));
}

async function* format<Data>(
  sessionId: string,
  name: string,
  source: AsyncIterable<Data>,
  isKeepAlive: (data: Data) => boolean,
): AsyncGenerator<string> {
  let checkedAt = Date.now();
  for await (const data of source) {
    if (Date.now() - checkedAt >= sessionCheckMs) {
      if (!(await findSession(db(), sessionId))) return;
      checkedAt = Date.now();
    }
    yield isKeepAlive(data) ? keepAliveComment : formatEvent(name, data);
  }
}
