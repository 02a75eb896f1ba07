import { db } from "#lib/db/client.ts";
import {
  type EventPosition,
  findJobsById,
  type JobEvent,
  listJobEvents,
  readEventHorizon,
} from "#lib/db/queries/jobs/event-log.ts";
import type { EventType } from "#lib/db/schema/event-types.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { waitAtMost } from "#lib/deadline.ts";
import { watchAccount } from "./changes.ts";

/** How long events can be read again, in milliseconds. */
export const eventRetentionMs = 24 * 3600 * 1000;

/** Times in milliseconds. */
const times = {
  /** The time between two `idle`. Without a notification, the log is read then in case one was lost. */
  idle: 15_000,
  /** The time between two reads while an event is too young to be sent. */
  young: 50,
  /** The time between two `job.progress` events of a job. */
  progress: 2000,
  /** Events of this time before the last one are read again, in case one was added late. */
  overlap: 5000,
} as const;

/** Events of one read. */
const batchSize = 1000;

/** What a client gets of the log. `job` is as it is now, which may be later than the event. */
export type AccountEvent =
  | { readonly kind: "event"; readonly id: string; readonly type: EventType; readonly job: JobRow }
  /** Every 15 seconds. `id` is the place from which the client can resume. */
  | { readonly kind: "idle"; readonly id: string };

/** An event's id, such as `1763828000123-2-job_…`: its place in the order of the account's events. */
export function formatEventId({ at, rank, jobId }: EventPosition): string {
  return `${at}-${rank}-${jobId}`;
}

/** The place that an id names; undefined if it is no id of an event. */
export function parseEventId(id: string): EventPosition | undefined {
  const [, at, rank, jobId] = /^(\d{13})-([0-3])-(job_[0-9A-Za-z]{24}|)$/.exec(id) ?? [];
  return at && rank && jobId !== undefined
    ? { at: Number(at), rank: Number(rank), jobId }
    : undefined;
}

/** A position after all events of the millisecond before `at`. */
const positionBefore = (at: number): EventPosition => ({ at, rank: 0, jobId: "" });

function isAfter(one: EventPosition, other: EventPosition): boolean {
  if (one.at !== other.at) return one.at > other.at;
  return one.rank !== other.rank ? one.rank > other.rank : one.jobId > other.jobId;
}

/**
 * Yields the events of an account's jobs after `after` (by default from now on), in order: each exactly
 * once, however often the client resumes with the id of the last one that it got. Events older than 24
 * hours are left out. `job.progress` has the id of the event before it, and is not repeated. The first
 * value is `idle`. Ends when `signal` is aborted.
 */
export async function* followEvents(
  accountId: string,
  after: EventPosition | undefined,
  signal: AbortSignal,
): AsyncGenerator<AccountEvent> {
  const log = new EventReader(accountId);
  const progress = new ProgressFilter();
  const changed = new Set<string>();
  // An event just before the connection was not notified to it.
  let notifiedAt = Date.now();
  let wake = () => {};
  const unwatch = await watchAccount(accountId, (id) => {
    if (id) changed.add(id);
    notifiedAt = Date.now();
    wake();
  });
  try {
    yield { kind: "idle", id: formatEventId(await log.start(after)) };
    let idleAt = Date.now();
    while (!signal.aborted) {
      // Created before the read, so that a change between the read and the wait is not missed.
      const notified = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const readAt = Date.now();
      const { events, isLast, delay } = await log.read();
      const ids = [...new Set([...events.map(({ jobId }) => jobId), ...changed])];
      const updated = [...changed];
      changed.clear();
      const rows = await findJobsById(db(), ids);
      for (const event of events) {
        const job = rows.get(event.jobId);
        log.sent(event);
        if (job) yield { kind: "event", id: log.id, type: event.type, job };
      }
      for (const job of updated.flatMap((id) => rows.get(id) ?? [])) {
        if (progress.accepts(job)) yield { kind: "event", id: log.id, type: "job.progress", job };
      }
      if (!isLast) continue;
      // Also if there were events: the client may have asked for other types.
      if (Date.now() - idleAt >= times.idle) {
        yield { kind: "idle", id: log.id };
        idleAt = Date.now();
      }
      const isYoung = readAt - notifiedAt <= delay;
      const waitMs = isYoung
        ? Math.max(times.young, delay / 4)
        : Math.max(0, idleAt + times.idle - Date.now());
      await waitAtMost(notified, waitMs, signal);
    }
  } finally {
    unwatch();
  }
}

/** Reads the log of an account from a position on. */
class EventReader {
  readonly #accountId: string;
  /** The position up to which events were sent or are not wanted. */
  #position = positionBefore(0);
  /** Where the reader started; nothing before it is sent. */
  #start = positionBefore(0);
  /** The times of the events that were sent within the overlap, by id. */
  readonly #recent = new Map<string, number>();

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  /** The id of the last event that was sent. */
  get id(): string {
    return formatEventId(this.#position);
  }

  async start(after: EventPosition | undefined): Promise<EventPosition> {
    const { now } = await readEventHorizon(db());
    const oldest = positionBefore(now - eventRetentionMs);
    const from = after ?? positionBefore(now);
    this.#start = isAfter(from, oldest) ? from : oldest;
    this.#position = this.#start;
    return this.#position;
  }

  /** The next events; `delay`: how long after it happened an event is sent at the earliest. */
  async read(): Promise<{ events: JobEvent[]; isLast: boolean; delay: number }> {
    const { now, horizon } = await readEventHorizon(db());
    const from = Math.max(this.#start.at, this.#position.at - times.overlap);
    const limit = batchSize + this.#recent.size;
    const range = { from, to: horizon, limit };
    const events = horizon > from ? await listJobEvents(db(), this.#accountId, range) : [];
    const next = events.filter(
      (event) => isAfter(event, this.#start) && !this.#recent.has(formatEventId(event)),
    );
    return { events: next, isLast: events.length < limit, delay: now - horizon + times.young };
  }

  /** Records that `event` was sent. */
  sent(event: JobEvent): void {
    this.#recent.set(formatEventId(event), event.at);
    if (!isAfter(event, this.#position)) return;
    this.#position = event;
    for (const [id, at] of this.#recent) {
      if (at < event.at - times.overlap) this.#recent.delete(id);
    }
  }
}

/** Decides which changes of progress are reported: of running jobs, not too often. */
class ProgressFilter {
  readonly #sent = new Map<string, { readonly progress: number; readonly at: number }>();

  accepts({ id, status, progress }: JobRow): boolean {
    if (status !== "processing") {
      this.#sent.delete(id);
      return false;
    }
    const last = this.#sent.get(id);
    const isNew = progress > (last?.progress ?? 0);
    if (!isNew || Date.now() - (last?.at ?? 0) < times.progress) return false;
    this.#sent.set(id, { progress, at: Date.now() });
    return true;
  }
}
