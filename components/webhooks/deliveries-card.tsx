import { ChevronLeftIcon, ChevronRightIcon, WebhookIcon } from "lucide-react";
import Form from "next/form";
import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import { Card, CardFooter, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { type DeliveryQuery, deliveriesUrl } from "./delivery-filters.ts";

interface DeliveriesCardProps {
  readonly deliveries: readonly DeliveryRow[];
  readonly query: DeliveryQuery;
  /** Whether there are older deliveries. */
  readonly hasMore: boolean;
  readonly now: Date;
}

/** Webhook deliveries, newest first, with filters by job, endpoint and status. */
export function DeliveriesCard({ deliveries, query, hasMore, now }: DeliveriesCardProps) {
  const { job, endpoint, status, before } = query;
  const isFiltered = job !== undefined || endpoint !== undefined || status !== undefined;
  const oldest = deliveries.at(-1);
  return (
    <Card id="deliveries">
      <CardHeader className="items-end pb-4">
        <CardTitle>Deliveries</CardTitle>
        <Form
          action="/dashboard/webhooks"
          scroll={false}
          // Other filters need a new form, because its fields are uncontrolled.
          key={`${job} ${endpoint} ${status}`}
          className="flex w-full flex-wrap gap-2 sm:w-auto"
        >
          {endpoint !== undefined && <input type="hidden" name="endpoint" value={endpoint} />}
          <Input
            name="job"
            aria-label="Job ID"
            placeholder="job_…"
            defaultValue={job}
            className="min-w-48 flex-1 font-mono sm:w-64"
          />
          <Select name="status" aria-label="Status" defaultValue={status} className="w-40">
            <option value="">All statuses</option>
            <option value="delivered">Delivered</option>
            <option value="pending">Pending</option>
            <option value="failed">Failed</option>
          </Select>
          <Button type="submit" variant="outline">
            Filter
          </Button>
        </Form>
      </CardHeader>
      <DeliveriesTable
        deliveries={deliveries}
        now={now}
        empty={isFiltered ? <NoMatch /> : <NoDeliveries />}
      />
      {(before !== undefined || hasMore) && (
        <CardFooter className="justify-between">
          <Button variant="outline" size="sm" asChild={before !== undefined} disabled={!before}>
            {before === undefined ? (
              "Newest"
            ) : (
              <Link href={deliveriesUrl({ job, endpoint, status, before: undefined })}>
                <ChevronLeftIcon /> Newest
              </Link>
            )}
          </Button>
          {hasMore && oldest && (
            <Button variant="outline" size="sm" asChild>
              <Link href={deliveriesUrl({ job, endpoint, status, before: oldest.id })} rel="next">
                Older <ChevronRightIcon />
              </Link>
            </Button>
          )}
        </CardFooter>
      )}
    </Card>
  );
}

function NoMatch() {
  return (
    <EmptyState
      icon={WebhookIcon}
      title="No deliveries match these filters"
      action={
        <Button variant="outline" asChild>
          <Link href={deliveriesUrl({})}>Show all deliveries</Link>
        </Button>
      }
    >
      Try another job ID or another status.
    </EmptyState>
  );
}

function NoDeliveries() {
  return (
    <EmptyState
      icon={WebhookIcon}
      title="No deliveries yet"
      action={
        <Button variant="outline" asChild>
          <Link href="/dashboard/webhooks/receiver">Open the test receiver</Link>
        </Button>
      }
    >
      Add an endpoint, or set <code>webhook_url</code> in a request. When the job finishes, a
      webhook is sent to that URL, and every attempt is listed here. Without a receiver of your own,
      use the test receiver.
    </EmptyState>
  );
}
