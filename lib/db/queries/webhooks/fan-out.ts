import { type SQL, sql } from "drizzle-orm";
import { channels } from "../../channels.ts";
import type { Queryable } from "../../client.ts";
import type { EndpointEventType } from "../../schema/event-types.ts";
import { defineStatement } from "../../statement.ts";

/**
 * Events for the endpoints of an account. Their deliveries are written by the statement that changes what the event
 * is about, so that both happen or none. An account without an endpoint costs it one look into an index.
 */

/**
 * The id of a delivery, and so its `webhook-id`: made from what the event is about, so that no event is written
 * twice. It looks like the ids of `createId`, but does not sort by time.
 */
export const deliveryId = (event: SQL, subject: SQL) =>
  sql`'whd_' || left(encode(sha256(convert_to(endpoint.id || ' ' || ${event} || ' ' || ${subject}, 'UTF8')), 'hex'), 24)`;

/** Whether an endpoint has subscribed to the event. */
export const isWanted = (event: SQL) =>
  sql`endpoint.enabled and endpoint.events && array[${event}, split_part(${event}, '.', 1) || '.*', '*']`;

/** Notifies the runners of what `fanned` has written. Null if it was nothing. */
export const wakeIfFanned = sql`(select pg_notify('${sql.raw(channels.workAvailable)}', 'delivery 0') from fanned limit 1)`;

/** An event of jobs. */
export interface FannedEvent {
  /** The name of a row source with the columns of `jobs`: a part of the same statement. */
  readonly source: string;
  /** The type of the event, as a text. */
  readonly event: SQL;
  /** Of which jobs it is one; by default of all. */
  readonly condition?: SQL;
  /** What distinguishes it from other events of the job with the same type. */
  readonly occasion?: SQL;
}

/**
 * The part `fanned` of a statement: it writes the deliveries of an event. They have no message yet: see `wakeIfFanned`,
 * which the statement must select.
 */
export function fanOut({ source, event, condition, occasion }: FannedEvent): SQL {
  const job = sql.raw(source);
  const subject = occasion ? sql`${job}.id || ' ' || ${occasion}` : sql`${job}.id`;
  return sql`fanned as (
    insert into webhook_deliveries (id, account_id, job_id, endpoint_id, url, event, trace_context, enqueued_at)
    select ${deliveryId(event, subject)}, ${job}.account_id, ${job}.id, endpoint.id, endpoint.url, ${event},
      ${job}.trace_context, null
    from ${job} join webhook_endpoints as endpoint on endpoint.account_id = ${job}.account_id
    where ${isWanted(event)} and ${condition ?? sql`true`}
    on conflict (id) do nothing
    returning id
  )`;
}

/** An event that is not about a job. */
export interface AccountEvent {
  readonly accountId: string;
  readonly event: EndpointEventType;
  /** What it is about, as a text: the same event about the same is sent to an endpoint once. */
  readonly subject: string;
  /** The endpoint that does not get it. */
  readonly except?: string;
  /** What is sent. */
  readonly body: string;
}

const insertEvent = defineStatement<"accountId" | "event" | "subject" | "except" | "body">(
  (value) => {
    const event = sql`${value("event")}::text`;
    return sql`
      with fanned as (
        insert into webhook_deliveries (id, account_id, endpoint_id, url, event, enqueued_at)
        select ${deliveryId(event, sql`${value("subject")}::text`)}, endpoint.account_id, endpoint.id, endpoint.url, ${event}, null
        from webhook_endpoints as endpoint
        where endpoint.account_id = ${value("accountId")}::text and ${isWanted(event)} and endpoint.id <> ${value("except")}::text
        on conflict (id) do nothing
        returning id
      ), contents as (
        insert into webhook_contents (delivery_id, content_type, body)
        select id, 'application/json', ${value("body")}::text from fanned
        returning delivery_id
      )
      select (select count(*) from contents)::int as deliveries, ${wakeIfFanned}`;
  },
);

/** Writes the deliveries of an event to the endpoints of an account that want it. Returns their number. */
export async function insertAccountEvent(
  db: Queryable,
  { except = "", ...event }: AccountEvent,
): Promise<number> {
  const [row] = await db.execute(insertEvent({ ...event, except }));
  return Number(row?.deliveries);
}
