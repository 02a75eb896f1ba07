import Link from "next/link";
import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "#components/ui/table.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { DeliveryBadge } from "./delivery-badge.tsx";

interface DeliveriesTableProps {
  readonly deliveries: readonly DeliveryRow[];
  readonly now: Date;
}

export function DeliveriesTable({ deliveries, now }: DeliveriesTableProps) {
  const time = now.toISOString();
  return (
    <Table aria-label="Deliveries">
      <TableHeader>
        <TableRow>
          <TableHead className="pl-5">Outcome</TableHead>
          <TableHead>Event</TableHead>
          <TableHead className="hidden md:table-cell">Address</TableHead>
          <TableHead className="hidden sm:table-cell">Attempts</TableHead>
          <TableHead className="hidden whitespace-nowrap sm:table-cell">Last response</TableHead>
          <TableHead className="hidden pr-5 sm:table-cell">Created</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {deliveries.map((delivery) => (
          <TableRow key={delivery.id} className="relative">
            <TableCell className="pl-5">
              <DeliveryBadge delivery={delivery} />
            </TableCell>
            <TableCell className="font-medium whitespace-nowrap">
              <Link
                href={`/dashboard/webhooks/${delivery.id}`}
                prefetch={false}
                className="after:absolute after:inset-0 hover:underline"
              >
                {delivery.event}
              </Link>
              <span className="block text-xs font-normal text-muted-foreground sm:hidden">
                <TimeAgo time={delivery.createdAt.toISOString()} now={time} />
              </span>
            </TableCell>
            <TableCell className="hidden w-full max-w-0 truncate text-muted-foreground md:table-cell">
              <span title={delivery.url}>{delivery.url}</span>
            </TableCell>
            <TableCell className="hidden tabular-nums sm:table-cell">
              {delivery.attempts.length}
            </TableCell>
            <TableCell className="hidden tabular-nums sm:table-cell">
              {delivery.attempts.length === 0 ? "" : (delivery.lastStatus ?? "none")}
            </TableCell>
            <TableCell className="hidden pr-5 whitespace-nowrap sm:table-cell">
              <TimeAgo time={delivery.createdAt.toISOString()} now={time} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
