import { ChevronLeftIcon, ChevronRightIcon, WebhookIcon } from "lucide-react";
import Form from "next/form";
import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import { Card, CardFooter, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { type DeliveryQuery, deliveriesAddress } from "./filters.ts";

interface DeliveriesCardProps {
  readonly deliveries: readonly DeliveryRow[];
  readonly query: DeliveryQuery;
  /** Whether there are older ones. */
  readonly hasMore: boolean;
  readonly now: Date;
}

/** What was sent, newest first, by job and by outcome. */
export function DeliveriesCard({ deliveries, query, hasMore, now }: DeliveriesCardProps) {
  const { job, outcome, before } = query;
  const isFiltered = job !== undefined || outcome !== undefined;
  const oldest = deliveries.at(-1);
  return (
    <Card id="deliveries">
      <CardHeader className="items-end pb-4">
        <CardTitle>Deliveries</CardTitle>
        <Form
          action="/dashboard/webhooks"
          scroll={false}
          // Anew for other filters, so that the fields show them.
          key={`${job} ${outcome}`}
          className="flex w-full flex-wrap gap-2 sm:w-auto"
        >
          <Input
            name="job"
            aria-label="Job id"
            placeholder="job_…"
            defaultValue={job}
            className="min-w-48 flex-1 font-mono sm:w-64"
          />
          <Select name="outcome" aria-label="Outcome" defaultValue={outcome} className="w-40">
            <option value="">Every outcome</option>
            <option value="delivered">Delivered</option>
            <option value="pending">Pending</option>
            <option value="failed">Given up</option>
          </Select>
          <Button type="submit" variant="outline">
            Filter
          </Button>
        </Form>
      </CardHeader>
      {deliveries.length === 0 ? (
        <Nothing isFiltered={isFiltered} />
      ) : (
        <DeliveriesTable deliveries={deliveries} now={now} />
      )}
      {(before !== undefined || hasMore) && (
        <CardFooter className="justify-between">
          <Button variant="outline" size="sm" asChild={before !== undefined} disabled={!before}>
            {before === undefined ? (
              "Newest"
            ) : (
              <Link href={deliveriesAddress({ job, outcome, before: undefined })}>
                <ChevronLeftIcon /> Newest
              </Link>
            )}
          </Button>
          {hasMore && oldest && (
            <Button variant="outline" size="sm" asChild>
              <Link href={deliveriesAddress({ job, outcome, before: oldest.id })} rel="next">
                Older <ChevronRightIcon />
              </Link>
            </Button>
          )}
        </CardFooter>
      )}
    </Card>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={WebhookIcon}
        title="No deliveries match"
        action={
          <Button variant="outline" asChild>
            <Link href={deliveriesAddress({})}>Show all</Link>
          </Button>
        }
      >
        Try another job id or another outcome.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={WebhookIcon} title="No deliveries yet">
      Give a request a <code>webhook_url</code>: when the job ends, a webhook is sent there, and
      every attempt is listed here.
    </EmptyState>
  );
}
