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

export function DeliveriesTable({ deliveries, now, empty }: DeliveriesTableProps) {
  const createdAgo = ({ createdAt }: DeliveryRow) => (
    <TimeAgo time={createdAt.toISOString()} now={now.toISOString()} />
  );
  const columns: readonly Column<DeliveryRow>[] = [
    { header: "Status", cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
    {
      header: "Event",
      className: "font-medium whitespace-nowrap",
      cell: (delivery) => (
        <>
          <RowLink href={`/dashboard/webhooks/${delivery.id}`} className="hover:underline">
            {delivery.event}
          </RowLink>
          <span className="block text-xs font-normal text-muted-foreground sm:hidden">
            {createdAgo(delivery)}
          </span>
        </>
      ),
    },
    {
      header: "URL",
      from: "md",
      className: "w-full max-w-0 truncate text-muted-foreground",
      cell: ({ url }) => <span title={url}>{url}</span>,
    },
    {
      header: "Attempts",
      from: "sm",
      className: "tabular-nums",
      cell: ({ attempts }) => attempts.length,
    },
    {
      header: "Last response",
      from: "sm",
      className: "tabular-nums",
      cell: ({ attempts, lastStatus }) => (attempts.length === 0 ? "" : (lastStatus ?? "None")),
    },
    { header: "Created", from: "sm", className: "whitespace-nowrap", cell: createdAgo },
  ];
  return <DataTable label="Deliveries" columns={columns} rows={deliveries} empty={empty} />;
}
