import type { ReactNode } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { DeliveryBadge } from "./delivery-badge.tsx";

interface DeliveriesTableProps {
  readonly deliveries: readonly DeliveryRow[];
  readonly now: Date;
  /** What is shown when there are no deliveries. */
  readonly empty: ReactNode;
}

/** Deliveries: a table, or cards on narrow pages. */
export function DeliveriesTable({ deliveries, now, empty }: DeliveriesTableProps) {
  const createdAgo = ({ createdAt }: DeliveryRow) => (
    <TimeAgo time={createdAt.toISOString()} now={now.toISOString()} />
  );
  const columns: readonly Column<DeliveryRow>[] = [
    { header: "Status", cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
    {
      header: "Event",
      className: "font-medium whitespace-nowrap",
      cell: (delivery) => <EventLink delivery={delivery} />,
    },
    {
      header: "URL",
      className: "w-full max-w-0 truncate text-muted-foreground",
      cell: ({ url }) => <span title={url}>{url}</span>,
    },
    {
      header: "Attempts",
      className: "tabular-nums",
      cell: ({ attempts }) => attempts.length,
    },
    { header: "Last response", className: "tabular-nums", cell: lastResponse },
    { header: "Created", className: "whitespace-nowrap", cell: createdAgo },
  ];
  return (
    <DataTable
      label="Deliveries"
      columns={columns}
      rows={deliveries}
      empty={empty}
      card={(delivery) => (
        <>
          <div className="flex items-center justify-between gap-3">
            <DeliveryBadge delivery={delivery} />
            <span className="text-muted-foreground">{createdAgo(delivery)}</span>
          </div>
          <p className="font-medium">
            <EventLink delivery={delivery} />
          </p>
          <p className="truncate text-muted-foreground" title={delivery.url}>
            {delivery.url}
          </p>
          <p className="text-muted-foreground tabular-nums">{describeAttempts(delivery)}</p>
        </>
      )}
    />
  );
}

function EventLink({ delivery: { id, event } }: { readonly delivery: DeliveryRow }) {
  return (
    <RowLink href={`/dashboard/webhooks/${id}`} className="hover:underline">
      {event}
    </RowLink>
  );
}

function lastResponse({ attempts, lastStatus }: DeliveryRow): string | number {
  return attempts.length === 0 ? "" : (lastStatus ?? "None");
}

/** "2 attempts, last response: 500" */
function describeAttempts(delivery: DeliveryRow): string {
  const count = delivery.attempts.length;
  if (count === 0) return "No attempt yet";
  return `${count} ${count === 1 ? "attempt" : "attempts"}, last response: ${String(lastResponse(delivery)).toLowerCase()}`;
}
