import { ApiError } from "./errors.ts";
import { type Http, sleep } from "./http.ts";
import { readEvents } from "./sse.ts";
import type { JobData, JobEvent, JobEventType } from "./types.ts";

export interface EventOptions {
  /** The types of events; all by default. */
  readonly types?: readonly JobEventType[];
  /** The id of the last event that you have; the events continue after it, within 24 hours. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  /**
   * The function that is called with the place from which to resume, also when no event was sent.
   */
  readonly onPosition?: (lastEventId: string) => void;
  /**
   * The function that is called before each attempt to connect again, with the number of failures
   * since the last event, from 0.
   */
  readonly onReconnect?: (failures: number) => void;
}

/** The account's events, each once and in order. A lost connection is resumed. Ends with the signal. */
export async function* followEvents(
  http: Http,
  { types, lastEventId, signal, onPosition, onReconnect }: EventOptions = {},
): AsyncGenerator<JobEvent> {
  let last = lastEventId;
  for (let failures = 0; ; ) {
    try {
      const response = await http.send("/v1/events", {
        query: { types: types?.join() },
        headers: { Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) },
        signal,
        timeout: 24 * 3_600_000,
      });
      for await (const { id, event, data } of readEvents(response)) {
        failures = 0;
        if (data) {
          const job = JSON.parse(data) as JobData;
          yield { id: id ?? last ?? "", type: event as JobEventType, job };
        }
        if (id && id !== last) {
          last = id;
          onPosition?.(id);
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    }
    if (signal?.aborted) return;
    onReconnect?.(failures);
    await sleep(Math.min(10_000, 250 * 2 ** failures++), signal).catch(() => {});
  }
}
