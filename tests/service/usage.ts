import { withServiceDatabase } from "./database/service-database.ts";

/** Usage rows in the service's database. Months are written `2026-11`. */

export const thisMonth = (): string => new Date().toISOString().slice(0, 7);

export const lastMonth = (): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
};

/** Sets an account's used bytes of this month, as if by earlier jobs. */
export async function setUsage(email: string, bytes: number): Promise<void> {
  await withServiceDatabase(
    (sql) => sql`
      insert into usage (account_id, period, used_bytes)
      select id, ${thisMonth()}, ${bytes} from accounts where email = ${email}
      on conflict (account_id, period) do update set used_bytes = ${bytes}`,
  );
}

export interface UsageRow {
  readonly period: string;
  readonly used: number;
  readonly reserved: number;
  readonly jobs: number;
}

/** An account's months, oldest first. */
export function readUsageRows(email: string): Promise<UsageRow[]> {
  return withServiceDatabase(
    (sql) => sql<UsageRow[]>`
      select period, used_bytes::float8 as used, reserved_bytes::float8 as reserved, total_jobs as jobs
      from usage join accounts on accounts.id = account_id
      where email = ${email} order by period`,
  );
}

/** Changes a job with reserved bytes into one that was accepted last month. */
export async function moveToLastMonth(jobId: string): Promise<void> {
  await withServiceDatabase((sql) =>
    sql.begin(async (tx) => {
      const [job] = await tx<{ account_id: string; reserved_bytes: string }[]>`
        update jobs set period = ${lastMonth()} where id = ${jobId} returning account_id, reserved_bytes`;
      if (!job) throw new Error("no such job");
      const { account_id: account, reserved_bytes: bytes } = job;
      await tx`update usage set reserved_bytes = reserved_bytes - ${bytes}, total_jobs = total_jobs - 1
        where account_id = ${account} and period = ${thisMonth()}`;
      await tx`insert into usage (account_id, period, reserved_bytes, total_jobs)
        values (${account}, ${lastMonth()}, ${bytes}, 1)`;
    }),
  );
}
