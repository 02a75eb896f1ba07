import { ChartNoAxesColumnIcon } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { PictureStats } from "#components/images/picture-stats.tsx";
import { jobsChartData } from "#components/overview/chart-data.ts";
import { DayChart } from "#components/overview/day-chart.tsx";
import { UsageCard } from "#components/overview/usage-card.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { CsvButton, GroupCard, GroupTable } from "#components/usage/group-table.tsx";
import { describeDays, jobsHref, parseRange } from "#components/usage/range.ts";
import { RangePicker } from "#components/usage/range-picker.tsx";
import { Totals } from "#components/usage/totals.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { listImageDays } from "#lib/db/queries/images/image-days.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import { plans } from "#lib/plans.ts";
import { readDailyUsage } from "#lib/quotas/daily-usage.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { observedDays, projectUsage } from "#lib/quotas/projection.ts";
import { addDays, countDays, dashboardGroup, readUsageReport } from "#lib/quotas/usage-report.ts";

export const metadata: Metadata = { title: "Usage" };

interface UsagePageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function UsagePage({ searchParams }: UsagePageProps) {
  const account = await requireAccount();
  const now = new Date();
  const range = parseRange(await searchParams, now);
  const { days, previous } = range;
  const [byDay, byOperation, byKey, byError, before, usage, recent, pictures] = await Promise.all([
    readUsageReport(account.id, "day", days),
    readUsageReport(account.id, "operation", days),
    readUsageReport(account.id, "key", days),
    readUsageReport(account.id, "error_code", days),
    readUsageReport(account.id, "key", previous),
    readUsage(db(), account.id, periodOf(now)),
    readDailyUsage(account.id, observedDays, now),
    listImageDays(db(), account.id, days.first),
  ]);
  const shownPictures = pictures.filter(({ day }) => day < days.end);
  const dailyBytes = recent.map(({ usedBytes }) => usedBytes);
  const hrefOfDay = ({ group: first }: { group: string }) =>
    jobsHref({ first, end: addDays(first, 1) });
  const shownDays = byDay.groups.map((group) => ({ ...group, day: group.group }));
  return (
    <>
      <PageHeader
        title="Usage"
        description={`Jobs that were accepted ${describeDays(days, now)}. Days are in UTC.`}
      />
      <div className="grid grid-cols-1 gap-6">
        <RangePicker range={range} />
        {byDay.total.jobs === 0 && (
          <Card>
            <EmptyState
              icon={ChartNoAxesColumnIcon}
              title="No jobs in these days"
              action={
                <Button asChild variant="outline">
                  <Link href="/dashboard/playground">Run an operation</Link>
                </Button>
              }
            >
              Choose other days, or run a first job.
            </EmptyState>
          </Card>
        )}
        {byDay.total.jobs > 0 && (
          <>
            <Totals
              total={byDay.total}
              previous={before.total}
              previousDays={describeDays(previous, now)}
            />
            <Card aria-label="By day">
              <CardHeader className="items-center">
                <CardTitle>Jobs per day</CardTitle>
                <CsvButton range={days} dimension="day" />
              </CardHeader>
              <CardContent className="grid gap-4">
                <DayChart
                  label="Jobs per day"
                  unit="count"
                  hrefs={byDay.groups.map(hrefOfDay)}
                  {...jobsChartData(shownDays)}
                />
                <details>
                  <summary className="cursor-pointer text-sm text-muted-foreground hover:text-foreground">
                    Show as a table
                  </summary>
                  <div className="-mx-5 mt-3">
                    <GroupTable
                      header="Day"
                      dimension="day"
                      groups={byDay.groups.filter(({ jobs }) => jobs > 0).reverse()}
                      hrefOf={hrefOfDay}
                      empty={null}
                    />
                  </div>
                </details>
              </CardContent>
            </Card>
            <GroupCard
              header="Operation"
              dimension="operation"
              range={days}
              groups={byOperation.groups}
              hrefOf={({ group: operation }) => jobsHref(days, { operation })}
              empty={null}
            />
            <GroupCard
              header="API key"
              dimension="key"
              range={days}
              groups={byKey.groups}
              nameOf={({ group, name }) =>
                group === dashboardGroup ? "Without a key (dashboard)" : (name ?? group)
              }
              hrefOf={({ group: key }) =>
                key === dashboardGroup ? undefined : jobsHref(days, { key })
              }
              empty={null}
            />
            <GroupCard
              header="Error code"
              dimension="error_code"
              range={days}
              groups={byError.groups}
              hrefOf={({ group: code }) => jobsHref(days, { error_code: code })}
              empty={<p className="px-5 pb-5 text-sm text-muted-foreground">No job has failed.</p>}
            />
          </>
        )}
        {shownPictures.length > 0 && (
          <section className="grid gap-3">
            <h2 className="text-lg font-semibold">
              <Link href="/dashboard/images" className="hover:underline">
                Images by URL
              </Link>
            </h2>
            <PictureStats label="Images by URL" days={shownPictures} shownDays={countDays(days)} />
          </section>
        )}
        <UsageCard
          plan={account.plan}
          usedBytes={usage.usedBytes}
          reservedBytes={usage.reservedBytes}
          includedBytes={plans[account.plan].monthlyBytes}
          projectedBytes={projectUsage(usage.usedBytes, dailyBytes, account.createdAt, now)}
          now={now}
        />
      </div>
    </>
  );
}
