import { eq, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { arrivingInputs } from "../../schema/staged-uploads.ts";

/** Writes that files of a job are about to be stored. */
export async function insertArrival(db: Queryable, jobId: string): Promise<void> {
  await db.insert(arrivingInputs).values({ jobId }).onConflictDoNothing();
}

/** The files belong to a job now, or are to be removed. False: somebody else has decided that already. */
export async function deleteArrival(db: Queryable, jobId: string): Promise<boolean> {
  const rows = await db
    .delete(arrivingInputs)
    .where(eq(arrivingInputs.jobId, jobId))
    .returning({ jobId: arrivingInputs.jobId });
  return rows.length > 0;
}

/** Deletes the arrivals older than `seconds` and answers whose files are to be removed. */
export async function deleteOldArrivals(db: Queryable, seconds: number): Promise<string[]> {
  const rows = await db
    .delete(arrivingInputs)
    .where(lt(arrivingInputs.createdAt, sql`now() - make_interval(secs => ${seconds})`))
    .returning({ jobId: arrivingInputs.jobId });
  return rows.map(({ jobId }) => jobId);
}
