import { FlaskConicalIcon, ListIcon, SearchXIcon } from "lucide-react";
import type { Metadata } from "next";
import { cookies } from "next/headers";
import { catalogueEntries } from "#components/catalogue/entries.ts";
import { CursorPager } from "#components/dashboard/cursor-pager.tsx";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { FilterBar } from "#components/jobs/list/filter-bar.tsx";
import { isFiltered, jobsUrl, parsePosition } from "#components/jobs/list/filters.ts";
import { columnsCookie, parseColumns } from "#components/jobs/list/job-columns.ts";
import { JobList } from "#components/jobs/list/job-list.tsx";
import { ListToolbar } from "#components/jobs/list/list-toolbar.tsx";
import { formatTotal } from "#components/jobs/list/total.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { listApiKeys } from "#lib/db/queries/accounts/api-keys.ts";
import { listSavedViews } from "#lib/db/queries/accounts/saved-views.ts";
import { findJobPosition } from "#lib/db/queries/jobs/lists.ts";
import { listJobSummaries } from "#lib/db/queries/jobs/summaries.ts";
import { chainName } from "#lib/jobs/steps.ts";
import { parseFilters, toJobFilter } from "#lib/jobs/view/job-filters.ts";
import { serializeJobSummary } from "#lib/jobs/view/summary.ts";
import { runBulkAction } from "../actions.ts";
import { deleteJobView, saveJobView } from "../view-actions.ts";

export const metadata: Metadata = { title: "Jobs" };

const pageSize = 25;

/** The operations to choose from, without what only the search of the docs needs. */
const searchedOperations = [
  ...catalogueEntries().map((entry) => ({ ...entry, words: "", params: "" })),
  {
    id: chainName,
    group: "several operations",
    title: "Chain",
    summary: "Several operations as one job.",
    words: "",
    params: "",
  },
];

interface JobsPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function JobsPage({ searchParams }: JobsPageProps) {
  const account = await requireAccount();
  const query = await searchParams;
  const filters = parseFilters(query);
  const position = parsePosition(query);
  const [after, before] = await Promise.all(
    [position.starting_after, position.ending_before].map((id) =>
      id === undefined ? undefined : findJobPosition(db(), account.id, id),
    ),
  );
  const [{ rows, total, hasMore }, keys, views] = await Promise.all([
    listJobSummaries(db(), account.id, toJobFilter(filters), { limit: pageSize, after, before }),
    listApiKeys(db(), account.id),
    listSavedViews(db(), account.id),
  ]);
  const columns = parseColumns((await cookies()).get(columnsCookie)?.value);
  const first = rows[0];
  const last = rows.at(-1);
  // A page before a job that no newer job fills is the newest page.
  const isNewest = after === undefined && (before === undefined || !hasMore);
  const hasOlder = before !== undefined || hasMore;
  const isNew = total === 0 && !isFiltered(filters);
  return (
    <>
      <PageHeader
        title="Jobs"
        description="All jobs of your account, newest first."
        actions={
          <Button asChild>
            <PrefetchLink href="/dashboard/playground">
              <FlaskConicalIcon aria-hidden="true" />
              New job
            </PrefetchLink>
          </Button>
        }
      />
      {!isNew && (
        <>
          <FilterBar
            filters={filters}
            operations={searchedOperations}
            keys={keys.map(({ id, name }) => ({ id, name }))}
          />
          <ListToolbar
            filters={filters}
            columns={columns}
            views={views}
            saveView={saveJobView}
            deleteView={deleteJobView}
          />
        </>
      )}
      <Card aria-label="Job list" className="overflow-clip">
        <JobList
          // Other filters and pages have their own live rows.
          key={jobsUrl(filters, position)}
          jobs={rows.map(serializeJobSummary)}
          filters={filters}
          pageSize={pageSize}
          isNewest={isNewest}
          columns={columns}
          run={runBulkAction}
          now={Date.now()}
          empty={isNew ? <NoJobs /> : <NoMatch />}
        />
      </Card>
      {first && last && (
        <div className="mt-4">
          <CursorPager
            newer={isNewest ? undefined : jobsUrl(filters, { ending_before: first.id })}
            older={hasOlder ? jobsUrl(filters, { starting_after: last.id }) : undefined}
          >
            {formatTotal(total)}
          </CursorPager>
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
          <PrefetchLink href="/dashboard/playground">Open playground</PrefetchLink>
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
          <PrefetchLink href="/dashboard/jobs">Show all jobs</PrefetchLink>
        </Button>
      }
    >
      Dates are in UTC. The search finds the start of an ID, and parts of file names, metadata and
      errors.
    </EmptyState>
  );
}
