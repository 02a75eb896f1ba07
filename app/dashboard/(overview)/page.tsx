import type { Metadata } from "next";
import { DayChart } from "#components/dashboard/overview/day-chart.tsx";
import { Figures } from "#components/dashboard/overview/figures.tsx";
import { GettingStarted } from "#components/dashboard/overview/getting-started.tsx";
import { RecentJobs } from "#components/dashboard/overview/recent-jobs.tsx";
import { bytesSeries, jobsSeries, medianDuration } from "#components/dashboard/overview/series.ts";
import { UsageCard } from "#components/dashboard/overview/usage-card.tsx";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { countActiveKeys } from "#lib/db/queries/accounts/api-keys.ts";
import { listNewestJobs } from "#lib/db/queries/jobs/summaries.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import { env } from "#lib/env.ts";
import { summarizeJob } from "#lib/jobs/view/summary.ts";
import { plans } from "#lib/plans.ts";
import { readDailyUsage } from "#lib/quotas/daily-usage.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { projectUsage } from "#lib/quotas/projection.ts";

export const metadata: Metadata = { title: "Overview" };

const chartDays = 30;
/** Jobs that are listed. */
const shownJobs = 8;
/** Jobs whose times make the typical one. */
const timedJobs = 50;

export default async function OverviewPage() {
  const account = await requireAccount();
  const now = new Date();
  const [usage, days, newest, activeKeys] = await Promise.all([
    readUsage(db(), account.id, periodOf(now)),
    readDailyUsage(account.id, chartDays, now),
    listNewestJobs(db(), account.id, timedJobs),
    countActiveKeys(db(), account.id),
  ]);
  const jobs = newest.map(summarizeJob);
  const dailyBytes = days.map(({ usedBytes }) => usedBytes);
  const isNew = days.every(({ completed }) => completed === 0);
  return (
    <>
      <PageHeader title="Overview" description="Usage, jobs, and what is running right now." />
      <div className="grid grid-cols-1 gap-6">
        {isNew && (
          <GettingStarted appUrl={env.APP_URL} hasKey={activeKeys > 0} initial={jobs.slice(0, 1)} />
        )}
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <UsageCard
            plan={account.plan}
            usedBytes={usage.usedBytes}
            reservedBytes={usage.reservedBytes}
            includedBytes={plans[account.plan].monthlyBytes}
            projectedBytes={projectUsage(usage.usedBytes, dailyBytes, account.createdAt, now)}
            now={now}
          />
          <Figures jobsThisMonth={usage.totalJobs} days={days} medianMs={medianDuration(jobs)} />
        </div>
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <Card>
            <CardHeader>
              <CardTitle>Jobs a day</CardTitle>
            </CardHeader>
            <CardContent>
              <DayChart label="Jobs a day" unit="count" {...jobsSeries(days)} />
            </CardContent>
          </Card>
          <Card>
            <CardHeader>
              <CardTitle>Input a day</CardTitle>
            </CardHeader>
            <CardContent>
              <DayChart label="Input a day" unit="bytes" {...bytesSeries(days)} />
            </CardContent>
          </Card>
        </div>
        <RecentJobs initial={jobs.slice(0, shownJobs)} limit={shownJobs} now={now.toISOString()} />
      </div>
    </>
  );
}
