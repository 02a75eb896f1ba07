import type { Queryable } from "#lib/db/client.ts";
import { insertAccountEvent } from "#lib/db/queries/webhooks/fan-out.ts";
import type { EndpointEventType } from "#lib/db/schema/event-types.ts";

/** An event that is not about a job. */
export interface NewAccountEvent {
  readonly accountId: string;
  readonly event: Exclude<EndpointEventType, `job.${string}`>;
  /** What it is about: the same event about the same is sent to an endpoint once. */
  readonly subject: string;
  /** The `data` of the event. */
  readonly data: Readonly<Record<string, unknown>>;
  /** An endpoint that does not get it. */
  readonly except?: string;
  readonly at?: Date;
}

/**
 * Writes an event for the endpoints of an account that want it, in the transaction of what it is about. It wakes the
 * runners when the transaction commits. Returns the number of endpoints.
 */
export function sendAccountEvent(
  tx: Queryable,
  { event: type, data, at = new Date(), ...event }: NewAccountEvent,
): Promise<number> {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  return insertAccountEvent(tx, { ...event, event: type, body });
}
