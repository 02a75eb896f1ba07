import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type OperatorAct, operatorActs } from "../../schema/operator/operator-acts.ts";

/** How long acts of operators are kept. */
export const keptActDays = 365;

export async function insertOperatorAct(
  db: Queryable,
  act: Omit<OperatorAct, "createdAt">,
): Promise<void> {
  await db.insert(operatorActs).values(act);
}

/** Removes the record of an act that was not possible after all. */
export async function deleteOperatorAct(db: Queryable, id: string): Promise<void> {
  await db.delete(operatorActs).where(eq(operatorActs.id, id));
}

/** Adds the result of an act that was recorded before it was done. */
export async function completeOperatorAct(
  db: Queryable,
  id: string,
  after: NonNullable<OperatorAct["after"]>,
): Promise<void> {
  await db.update(operatorActs).set({ after }).where(eq(operatorActs.id, id));
}

/** Acts, newest first: those older than the act `before`, or to one account. */
export function listOperatorActs(
  db: Queryable,
  { before, accountId, limit }: { before?: string; accountId?: string; limit: number },
): Promise<OperatorAct[]> {
  const conditions: SQL[] = [];
  if (before) conditions.push(lt(operatorActs.id, before));
  if (accountId) conditions.push(eq(operatorActs.accountId, accountId));
  return db
    .select()
    .from(operatorActs)
    .where(and(...conditions))
    .orderBy(desc(operatorActs.id))
    .limit(limit);
}

export async function deleteOldOperatorActs(db: Queryable): Promise<void> {
  await db
    .delete(operatorActs)
    .where(lt(operatorActs.createdAt, sql`now() - make_interval(days => ${keptActDays})`));
}
