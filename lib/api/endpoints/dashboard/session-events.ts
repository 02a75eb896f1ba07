import type { SessionCaller } from "../../definition/access.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import {
  eventStreamResponse,
  formatEvent,
  keepAliveComment,
} from "../../http/streams/event-stream.ts";

/**
 * A stream of events with this name, until the session ends. `follow` yields the data of each, and what `isKeepAlive`
 * accepts is sent as a comment instead.
 */
export function sessionEventStream<Data>(
  context: SessionCaller & RequestContext,
  name: string,
  follow: (signal: AbortSignal) => AsyncIterable<Data>,
  isKeepAlive: (data: Data) => boolean,
): Response {
  return eventStreamResponse(context, (signal) => format(name, follow(signal), isKeepAlive));
}

async function* format<Data>(
  name: string,
  source: AsyncIterable<Data>,
  isKeepAlive: (data: Data) => boolean,
): AsyncGenerator<string> {
  for await (const data of source) {
    yield isKeepAlive(data) ? keepAliveComment : formatEvent(name, data);
  }
}
