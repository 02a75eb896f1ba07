import { ScrollTextIcon, SearchXIcon } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { CodeBlock } from "#components/code/code-block.tsx";
import { CursorPager } from "#components/dashboard/cursor-pager.tsx";
import { LiveButton } from "#components/dashboard/live-button.tsx";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { RequestFilterForm } from "#components/requests/request-filter-form.tsx";
import {
  isGroup,
  isRequestFilter,
  parseRequestPosition,
  parseRequestQuery,
  type RequestQuery,
  requestsUrl,
  toRequestFilter,
} from "#components/requests/request-filters.ts";
import { RequestList } from "#components/requests/request-list.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { listApiKeys } from "#lib/db/queries/accounts/api-keys.ts";
import {
  listRequestGroups,
  listRequests,
  type RequestGroup,
  type RequestSummary,
} from "#lib/db/queries/requests/lists.ts";
import { env } from "#lib/env.ts";

export const metadata: Metadata = { title: "Requests" };

const pageSize = 50;

interface RequestsPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RequestsPage({ searchParams }: RequestsPageProps) {
  const account = await requireAccount();
  const query = await searchParams;
  const filters = parseRequestQuery(query);
  const { starting_after: after, ending_before: before } = parseRequestPosition(query);
  const page = { limit: pageSize, after, before: after ? undefined : before };
  const [{ rows, hasMore }, keys] = await Promise.all([
    isGroup(filters)
      ? listRequests(db(), account.id, toRequestFilter(filters), page)
      : listRequestGroups(db(), account.id, toRequestFilter(filters), page),
    listApiKeys(db(), account.id),
  ]);
  const isNewest = !after && !before;
  const isNew = rows.length === 0 && isNewest && !isRequestFilter(filters);
  const hasNewer = after ? true : page.before ? hasMore : false;
  const hasOlder = page.before ? true : hasMore;
  const first = rows[0];
  const last = rows.at(-1);
  return (
    <>
      <PageHeader
        title="Requests"
        description="Every API request with one of your keys, newest first. Kept for 7 days."
        actions={isNewest && <LiveButton />}
      />
      {!isNew && <RequestFilterForm filters={filters} keys={keys} />}
      <Card aria-label="Request list" className="overflow-hidden">
        <RequestList
          requests={rows.map((row) => withGroupUrl(row, filters))}
          now={new Date()}
          empty={isNew ? <NoRequests /> : <NoMatch />}
        />
      </Card>
      {first && last && (
        <div className="mt-4">
          <CursorPager
            newer={hasNewer ? requestsUrl(filters, { ending_before: first.id }) : undefined}
            older={
              hasOlder ? requestsUrl(filters, { starting_after: oldestIdOf(last) }) : undefined
            }
          />
        </div>
      )}
    </>
  );
}

/** The id of the oldest request of a row. */
const oldestIdOf = (row: RequestSummary | RequestGroup) =>
  "oldestId" in row ? row.oldestId : row.id;

/** Adds the page with the single requests to the row of several. */
function withGroupUrl(row: RequestSummary | RequestGroup, filters: RequestQuery) {
  if (!("oldestId" in row) || row.repeats === 1) return row;
  return { ...row, groupUrl: requestsUrl({ ...filters, from: row.oldestId, to: row.id }) };
}

function NoRequests() {
  const command = `curl -sS ${env.APP_URL}/v1/usage \\\n  -H "X-API-Key: $MEDIAMILL_API_KEY"`;
  return (
    <EmptyState
      icon={ScrollTextIcon}
      title="No requests yet"
      action={
        <div className="w-full max-w-xl text-left">
          <CodeBlock code={command} language="bash" />
        </div>
      }
    >
      Send a request with one of your{" "}
      <Link href="/dashboard/keys" className="underline underline-offset-4">
        API keys
      </Link>
      . It appears here a second later, also if it was rejected.
    </EmptyState>
  );
}

function NoMatch() {
  return (
    <EmptyState
      icon={SearchXIcon}
      title="No requests match these filters"
      action={
        <Button asChild variant="outline">
          <Link href="/dashboard/requests">Show all requests</Link>
        </Button>
      }
    >
      Dates are in UTC. Requests are kept for 7 days.
    </EmptyState>
  );
}
