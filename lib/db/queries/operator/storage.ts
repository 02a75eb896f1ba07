import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";

/** The most jobs whose files are counted. */
export const maxCountedFiles = 50_000;

const limit = sql.raw(String(maxCountedFiles));

/** The files that are stored, as the records say. */
export interface StoredFileCounts {
  /** The number of ended jobs whose files are not deleted, at most `maxCountedFiles`. */
  readonly jobs: number;
  /** The bytes of their inputs. */
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** Ended jobs whose files are past their retention: the next sweep deletes them. */
  readonly expiredJobs: number;
  /** How long the oldest of them is past its retention; 0 if there is none. */
  readonly expiredSeconds: number;
  /** Uploads that no job has taken yet. */
  readonly uploads: number;
  readonly uploadBytes: number;
}

export async function countStoredFiles(db: Queryable): Promise<StoredFileCounts> {
  // Ordered, so that the index of expiring files is read and not the whole table.
  const [row] = await db.execute<Record<keyof StoredFileCounts, string>>(sql`
    with stored as (
      select source, parts, outputs, expires_at from jobs
      where files_deleted_at is null and expires_at is not null
      order by expires_at limit ${limit}
    ), sizes as (
      select expires_at,
        coalesce(case source->>'kind' when 'stored' then (source->>'bytes')::bigint end, 0)
          + (select coalesce(sum((part.value->>'bytes')::bigint), 0)
             from json_each(parts) as part where part.value->>'kind' = 'stored') as input_bytes,
        (select coalesce(sum((output->>'bytes')::bigint), 0)
         from json_array_elements(outputs) as output) as output_bytes
      from stored
    ), waiting as (
      select bytes from uploads where received_at is not null and expires_at > now() limit ${limit}
    )
    select count(*) as jobs, coalesce(sum(input_bytes), 0) as "inputBytes",
      coalesce(sum(output_bytes), 0) as "outputBytes",
      count(*) filter (where expires_at < now()) as "expiredJobs",
      greatest(0, coalesce(extract(epoch from now() - min(expires_at)), 0)) as "expiredSeconds",
      (select count(*) from waiting) as uploads,
      (select coalesce(sum(bytes), 0) from waiting) as "uploadBytes"
    from sizes`);
  const numberOf = (name: keyof StoredFileCounts) => Number(row?.[name] ?? 0);
  return {
    jobs: numberOf("jobs"),
    inputBytes: numberOf("inputBytes"),
    outputBytes: numberOf("outputBytes"),
    expiredJobs: numberOf("expiredJobs"),
    expiredSeconds: numberOf("expiredSeconds"),
    uploads: numberOf("uploads"),
    uploadBytes: numberOf("uploadBytes"),
  };
}

/** The size of this database in bytes. */
export async function readDatabaseBytes(db: Queryable): Promise<number> {
  const [row] = await db.execute<{ bytes: string }>(
    sql`select pg_database_size(current_database()) as bytes`,
  );
  return Number(row?.bytes ?? 0);
}
