import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import {
  gotenbergWebhookCalls as calls,
  type WebhookCallRow,
} from "../../schema/gotenberg/webhook-calls.ts";

/** The id of a call and the process that holds it. */
export type HeldCall = Pick<WebhookCallRow, "id" | "holder">;

const until = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;

/** Stores a call, which its holder may work on for `seconds`. */
export async function insertWebhookCall(
  db: Queryable,
  values: Pick<WebhookCallRow, "id" | "accountId" | "request" | "state" | "holder">,
  seconds: number,
): Promise<void> {
  await db.insert(calls).values({ ...values, heldUntil: until(seconds) });
}

/** Takes over up to `limit` calls that no process works on any more. */
export function claimWebhookCalls(
  db: Queryable,
  holder: string,
  { seconds, limit }: { readonly seconds: number; readonly limit: number },
): Promise<WebhookCallRow[]> {
  const free = db
    .select({ id: calls.id })
    .from(calls)
    .where(lt(calls.heldUntil, sql`now()`))
    .orderBy(calls.heldUntil)
    .limit(limit)
    .for("update", { skipLocked: true });
  return db
    .update(calls)
    .set({ holder, heldUntil: until(seconds), holders: sql`${calls.holders} + 1` })
    .where(inArray(calls.id, free))
    .returning();
}

/** Holds a call for `seconds` more, and stores its state if it is given. False if it is no longer the holder's. */
export async function holdWebhookCall(
  db: Queryable,
  call: HeldCall,
  seconds: number,
  state?: string,
): Promise<boolean> {
  const values = { heldUntil: until(seconds), ...(state === undefined ? {} : { state }) };
  const rows = await db.update(calls).set(values).where(isHeld(call)).returning({ id: calls.id });
  return rows.length > 0;
}

export async function deleteWebhookCall(db: Queryable, call: HeldCall): Promise<void> {
  await db.delete(calls).where(isHeld(call));
}

function isHeld({ id, holder }: HeldCall) {
  return and(eq(calls.id, id), eq(calls.holder, holder));
}
