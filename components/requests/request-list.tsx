import Link from "next/link";
import type { ReactNode } from "react";
import { formatDuration } from "#components/format.ts";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { RequestSummary } from "#lib/db/queries/requests/lists.ts";
import { RequestBadge } from "./request-badge.tsx";

/** A request, or several in a row that were rejected for the same reason. */
export interface RequestRow extends RequestSummary {
  readonly repeats?: number;
  /** The page with the single requests, if there are several. */
  readonly groupUrl?: string;
}

interface RequestListProps {
  /** The requests, newest first. */
  readonly requests: readonly RequestRow[];
  readonly now: Date;
  /** What is shown when there are no requests. */
  readonly empty: ReactNode;
}

/** A page of requests: a table, or cards on narrow pages. */
export function RequestList({ requests, now, empty }: RequestListProps) {
  const time = ({ createdAt }: RequestSummary) => (
    <TimeAgo time={createdAt.toISOString()} now={now.toISOString()} />
  );
  const columns: readonly Column<RequestRow>[] = [
    { header: "Status", cell: (request) => <RequestBadge {...request} /> },
    {
      header: "Request",
      className: "w-full max-w-0",
      cell: (request) => <Call request={request} />,
    },
    { header: "Key", className: "max-w-40 truncate", cell: ({ keyName }) => keyName },
    {
      header: "Address",
      className: "max-w-40 truncate font-mono text-xs text-muted-foreground",
      cell: ({ address }) => address,
    },
    { header: "Time", className: "whitespace-nowrap text-muted-foreground", cell: time },
    {
      header: "Duration",
      align: "right",
      className: "whitespace-nowrap text-muted-foreground tabular-nums",
      cell: ({ durationMs }) => formatDuration(durationMs),
    },
  ];
  return (
    <DataTable
      label="Requests"
      columns={columns}
      rows={requests}
      empty={empty}
      card={(request) => (
        <>
          <div className="flex items-center justify-between gap-3">
            <RequestBadge {...request} />
            <span className="text-muted-foreground">{time(request)}</span>
          </div>
          <Call request={request} />
          <p className="flex items-center justify-between gap-3 text-muted-foreground">
            <span className="truncate">{request.keyName}</span>
            <span className="shrink-0 tabular-nums">{formatDuration(request.durationMs)}</span>
          </p>
        </>
      )}
    />
  );
}

function Call({ request }: { request: RequestRow }) {
  const { id, method, path, error, repeats = 1, groupUrl } = request;
  return (
    <div className="grid min-w-0 gap-1">
      <div className="flex min-w-0 items-center gap-2">
        <RowLink
          href={`/dashboard/requests/${id}`}
          title={`${method} ${path}`}
          className="block truncate font-mono text-xs hover:underline"
        >
          <span className="font-semibold">{method}</span> {path}
        </RowLink>
        {groupUrl !== undefined && (
          <Link
            href={groupUrl}
            prefetch={false}
            aria-label={`Show all ${repeats} requests like this one`}
            className="shrink-0 rounded-md border px-1.5 py-0.5 text-xs tabular-nums hover:bg-accent"
          >
            ×{repeats.toLocaleString("en")}
          </Link>
        )}
      </div>
      {error !== null && (
        <p className="truncate text-xs text-muted-foreground" title={error}>
          <InlineCode text={error} />
        </p>
      )}
    </div>
  );
}
