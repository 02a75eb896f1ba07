import { and, desc, eq, isNull, lte, sql } from "drizzle-orm";
import { type PlanName, planNames, plans } from "#lib/plans.ts";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { usageAlerts } from "../../schema/dashboard/usage-alerts.ts";

/** The most attempts to send an email. The last one is some hours after the first. */
const maxMailAttempts = 10;

/** An alert is of no use below this percentage: then a rejected file was large, and most others still fit. */
const rejectionPercent = 90;

/** Plans with a quota, as rows of SQL. */
const quotas = sql.raw(
  planNames
    .flatMap((name) => (plans[name].monthlyBytes === null ? [] : [plans[name]]))
    .map(({ name, monthlyBytes }) => `('${name}', ${monthlyBytes}::bigint)`)
    .join(", "),
);

/** A threshold that an account has newly reached. */
export interface NewAlert {
  readonly accountId: string;
  readonly period: string;
  readonly threshold: number;
  readonly plan: PlanName;
  readonly usedBytes: number;
  readonly includedBytes: number;
}

/**
 * Records the thresholds that accounts have newly reached in `period`. An email is due for the highest of an
 * account, if `mails`. 100 % is also reached if jobs are rejected because too little of the quota is left.
 * Returns the new alerts.
 */
export async function insertUsageAlerts(
  db: Queryable,
  { period, mails }: { period: string; mails: boolean },
): Promise<NewAlert[]> {
  return db.execute<NewAlert & Record<string, unknown>>(sql`
    with reached as (
      select usage.account_id, usage.period, threshold, usage.used_bytes, quotas.plan, quotas.bytes,
        max(threshold) over (partition by usage.account_id) as highest
      from usage join accounts on accounts.id = usage.account_id
      join (values ${quotas}) as quotas (plan, bytes) on quotas.plan = accounts.plan,
      lateral (select value::smallint as threshold from json_array_elements_text(accounts.usage_alerts) as value) as chosen
      where usage.period = ${period} and accounts.deleted_at is null
        and (usage.used_bytes * 100 >= threshold * quotas.bytes
          or (threshold = 100 and usage.used_bytes * 100 >= ${rejectionPercent}::bigint * quotas.bytes and (
            exists (select from jobs where jobs.account_id = usage.account_id
              and jobs.error_code = 'usage_limit_reached' and jobs.period = ${period})
            or exists (select from api_requests where api_requests.account_id = usage.account_id
              and api_requests.error_code = 'usage_limit_reached'
              and api_requests.created_at > now() - interval '10 minutes'))))
    ), inserted as (
      insert into usage_alerts (account_id, period, threshold, mail)
      select account_id, period, threshold,
        case when ${mails} and threshold = highest then 'pending' else 'none' end
      from reached
      where not exists (select from usage_alerts as known where known.account_id = reached.account_id
        and known.period = reached.period and known.threshold = reached.threshold)
      on conflict do nothing
      returning account_id, threshold
    )
    select account_id as "accountId", period, threshold, plan, used_bytes::float8 as "usedBytes",
      bytes::float8 as "includedBytes"
    from inserted join reached using (account_id, threshold)`);
}

export interface DueMail {
  readonly accountId: string;
  readonly period: string;
  readonly threshold: number;
  readonly email: string;
  readonly plan: PlanName;
  readonly usedBytes: number;
}

/**
 * Takes an alert of `period` whose email is due. No other process gets it for some minutes, each time more,
 * which are the delay of the next attempt if it is not marked as sent.
 */
export async function takeDueMail(db: Queryable, period: string): Promise<DueMail | undefined> {
  const [row] = await db.execute<DueMail & Record<string, unknown>>(sql`
    with due as (
      select account_id, period, threshold from usage_alerts
      where mail = 'pending' and period = ${period} and mail_retry_at <= now()
        and mail_attempts < ${maxMailAttempts}
        and exists (select from accounts where id = account_id and deleted_at is null)
      order by mail_retry_at limit 1 for update skip locked
    ), taken as (
      update usage_alerts as alert
      set mail_attempts = mail_attempts + 1,
        mail_retry_at = now() + make_interval(mins => 5 * (mail_attempts + 1))
      from due
      where (alert.account_id, alert.period, alert.threshold) = (due.account_id, due.period, due.threshold)
      returning alert.*
    )
    select taken.account_id as "accountId", taken.period, taken.threshold, email, plan,
      usage.used_bytes::float8 as "usedBytes"
    from taken join accounts on accounts.id = taken.account_id
    join usage on usage.account_id = taken.account_id and usage.period = taken.period`);
  return row;
}

type AlertKey = Pick<DueMail, "accountId" | "period" | "threshold">;

export async function markMailSent(db: Queryable, alert: AlertKey): Promise<void> {
  const { accountId, period, threshold } = alert;
  await db
    .update(usageAlerts)
    .set({ mail: "sent" })
    .where(and(ofPeriod(accountId, period), eq(usageAlerts.threshold, threshold)));
}

/** The highest threshold of the period that the account has reached, unless its banner was dismissed. */
export async function findShownAlert(
  db: Queryable,
  accountId: string,
  period: string,
): Promise<number | undefined> {
  const [row] = await db
    .select({ threshold: usageAlerts.threshold })
    .from(usageAlerts)
    .innerJoin(accounts, eq(accounts.id, usageAlerts.accountId))
    .where(
      and(
        ofPeriod(accountId, period),
        isNull(usageAlerts.dismissedAt),
        sql`${accounts.usageAlerts}::jsonb @> to_jsonb(${usageAlerts.threshold})`,
      ),
    )
    .orderBy(desc(usageAlerts.threshold))
    .limit(1);
  return row?.threshold;
}

/** Dismisses the banner of a threshold and of those below. */
export async function dismissAlerts(db: Queryable, alert: AlertKey): Promise<void> {
  const { accountId, period, threshold } = alert;
  await db
    .update(usageAlerts)
    .set({ dismissedAt: new Date() })
    .where(and(ofPeriod(accountId, period), lte(usageAlerts.threshold, threshold)));
}

/** Sets the thresholds at which an account gets an alert. */
export async function setAlertThresholds(
  db: Queryable,
  accountId: string,
  thresholds: readonly number[],
): Promise<void> {
  await db.update(accounts).set({ usageAlerts: thresholds }).where(eq(accounts.id, accountId));
}

function ofPeriod(accountId: string, period: string) {
  return and(eq(usageAlerts.accountId, accountId), eq(usageAlerts.period, period));
}
