import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { jobs, unfinishedList } from "../../schema/jobs.ts";

/** The encrypted secrets of a job. */
export interface SealedSecrets {
  readonly id: string;
  readonly secrets: string;
}

/** Lists encrypted secrets of unfinished jobs, by the id of the job, from the one after `after`. */
export async function listSealedSecrets(
  db: Queryable,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<SealedSecrets[]> {
  const rows = await db
    .select({ id: jobs.id, secrets: jobs.secrets })
    .from(jobs)
    .where(
      and(isNotNull(jobs.secrets), gt(jobs.id, after), sql`${jobs.status} in ${unfinishedList}`),
    )
    .orderBy(asc(jobs.id))
    .limit(limit);
  return rows.flatMap(({ id, secrets }) => (secrets === null ? [] : [{ id, secrets }]));
}

/** Replaces the encrypted secrets of a job, unless they have changed. */
export async function replaceSealedSecrets(
  db: Queryable,
  { id, secrets }: SealedSecrets,
  replacement: string,
): Promise<void> {
  await db
    .update(jobs)
    .set({ secrets: replacement })
    .where(and(eq(jobs.id, id), eq(jobs.secrets, secrets)));
}
