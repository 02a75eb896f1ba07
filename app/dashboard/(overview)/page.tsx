import type { Metadata } from "next";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import {
  bytesChartData,
  dayHrefs,
  jobsChartData,
  medianDuration,
} from "#components/overview/chart-data.ts";
import { DayChart } from "#components/overview/day-chart.tsx";
import { GettingStarted } from "#components/overview/getting-started.tsx";
import { RecentJobs } from "#components/overview/recent-jobs.tsx";
import { StatsCard } from "#components/overview/stats-card.tsx";
import { UsageCard } from "#components/overview/usage-card.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { countActiveKeys } from "#lib/db/queries/accounts/api-keys.ts";
import { listNewestJobs } from "#lib/db/queries/jobs/summaries.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import { env } from "#lib/env.ts";
import { serializeJobSummary } from "#lib/jobs/view/summary.ts";
import { plans } from "#lib/plans.ts";
import { readDailyUsage } from "#lib/quotas/daily-usage.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { projectUsage } from "#lib/quotas/projection.ts";
import { cancelJob } from "../jobs/actions.ts";
import { keepFirstSteps } from "./actions.ts";
import { readFirstSteps } from "./first-steps.ts";

export const metadata: Metadata = { title: "Overview" };

const chartDays = 30;
/** The number of jobs in the list. */
const recentJobs = 8;
/** The number of jobs that the median duration is calculated from. */
const medianJobs = 50;

export default async function OverviewPage() {
  const account = await requireAccount();
  const now = new Date();
  const [usage, days, newest, activeKeys, firstSteps] = await Promise.all([
    readUsage(db(), account.id, periodOf(now)),
    readDailyUsage(account.id, chartDays, now),
    listNewestJobs(db(), account.id, medianJobs),
    countActiveKeys(db(), account.id),
    readFirstSteps(account.id),
  ]);
  const jobs = newest.map(serializeJobSummary);
  const dailyBytes = days.map(({ usedBytes }) => usedBytes);
  const firstJob = jobs.findLast(({ status }) => status === "completed") ?? jobs[0];
  const isNew = days.every(({ completed }) => completed === 0);
  return (
    <>
      <PageHeader title="Overview" description="Usage, recent jobs and daily totals." />
      <div className="grid grid-cols-1 gap-6">
        <GettingStarted
          accountId={account.id}
          isNew={isNew}
          saved={firstSteps}
          appUrl={env.APP_URL}
          hasKey={activeKeys > 0}
          initial={firstJob ? [firstJob] : []}
          keep={keepFirstSteps}
          cancel={cancelJob}
        />
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <UsageCard
            plan={account.plan}
            usedBytes={usage.usedBytes}
            reservedBytes={usage.reservedBytes}
            includedBytes={plans[account.plan].monthlyBytes}
            projectedBytes={projectUsage(usage.usedBytes, dailyBytes, account.createdAt, now)}
            now={now}
          />
          <StatsCard jobsThisMonth={usage.totalJobs} days={days} medianMs={medianDuration(jobs)} />
        </div>
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <Card>
            <CardHeader>
              <CardTitle>Jobs per day</CardTitle>
            </CardHeader>
            <CardContent>
              <DayChart
                label="Jobs per day"
                unit="count"
                hrefs={dayHrefs(days)}
                {...jobsChartData(days)}
              />
            </CardContent>
          </Card>
          <Card>
            <CardHeader>
              <CardTitle>Input per day</CardTitle>
            </CardHeader>
            <CardContent>
              <DayChart
                label="Input per day"
                unit="bytes"
                hrefs={dayHrefs(days)}
                {...bytesChartData(days)}
              />
            </CardContent>
          </Card>
        </div>
        <RecentJobs
          initial={jobs.slice(0, recentJobs)}
          limit={recentJobs}
          now={now.toISOString()}
        />
      </div>
    </>
  );
}
