import { FlaskConicalIcon, ListIcon, SearchXIcon } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { FilterBar } from "#components/jobs/filter-bar.tsx";
import {
  isFiltered,
  jobsUrl,
  parseFilters,
  parsePage,
  startOfDay,
} from "#components/jobs/filters.ts";
import { JobList } from "#components/jobs/job-list.tsx";
import { Pager } from "#components/jobs/pager.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { listJobSummaries } from "#lib/db/queries/jobs/summaries.ts";
import { chainName } from "#lib/jobs/steps.ts";
import { serializeJobSummary } from "#lib/jobs/view/summary.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

export const metadata: Metadata = { title: "Jobs" };

const pageSize = 25;

interface JobsPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function JobsPage({ searchParams }: JobsPageProps) {
  const account = await requireAccount();
  const query = await searchParams;
  const filters = parseFilters(query);
  const page = parsePage(query);
  const { rows, total, hasMore } = await listJobSummaries(
    db(),
    account.id,
    {
      id: filters.id || undefined,
      status: filters.status || undefined,
      operation: filters.operation || undefined,
      createdAfter: startOfDay(filters.created_after),
      createdBefore: startOfDay(filters.created_before),
    },
    { limit: pageSize, offset: (page - 1) * pageSize },
  );
  const isNew = total === 0 && !isFiltered(filters);
  return (
    <>
      <PageHeader
        title="Jobs"
        description="All jobs of your account, newest first."
        actions={
          <Button asChild>
            <Link href="/dashboard/playground">
              <FlaskConicalIcon aria-hidden="true" />
              New job
            </Link>
          </Button>
        }
      />
      {!isNew && (
        <FilterBar filters={filters} operations={[...operations.map(({ id }) => id), chainName]} />
      )}
      <Card aria-label="Job list" className="overflow-hidden">
        <JobList
          // Other filters and pages have their own live rows.
          key={jobsUrl(filters, page)}
          jobs={rows.map(serializeJobSummary)}
          filters={filters}
          pageSize={pageSize}
          isNewest={page === 1}
          now={Date.now()}
          empty={isNew ? <NoJobs /> : <NoMatch />}
        />
      </Card>
      {rows.length > 0 && (
        <div className="mt-4">
          <Pager
            page={page}
            pageSize={pageSize}
            rows={rows.length}
            total={total}
            hasMore={hasMore}
            pageUrl={(number) => jobsUrl(filters, number)}
          />
        </div>
      )}
    </>
  );
}

function NoJobs() {
  return (
    <EmptyState
      icon={ListIcon}
      title="No jobs yet"
      action={
        <Button asChild>
          <Link href="/dashboard/playground">Open playground</Link>
        </Button>
      }
    >
      Every API request creates a job that you can follow here. Run your first job in the playground
      with a sample file. You do not need an API key.
    </EmptyState>
  );
}

function NoMatch() {
  return (
    <EmptyState
      icon={SearchXIcon}
      title="No jobs match these filters"
      action={
        <Button asChild variant="outline">
          <Link href="/dashboard/jobs">Show all jobs</Link>
        </Button>
      }
    >
      Dates are in UTC. Enter a full job ID or its first characters.
    </EmptyState>
  );
}
