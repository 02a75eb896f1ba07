import { PlusIcon, WebhookIcon } from "lucide-react";
import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import { Card, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import type { EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";
import { EndpointBadge } from "./endpoint-badge.tsx";

const columns: readonly Column<EndpointRow>[] = [
  {
    header: "URL",
    className: "w-full max-w-0",
    cell: ({ id, url, description, events }) => (
      <>
        <RowLink
          href={`/dashboard/webhooks/endpoints/${id}`}
          className="block truncate font-medium hover:underline"
        >
          {url}
        </RowLink>
        {description !== "" && (
          <span className="block truncate text-muted-foreground">{description}</span>
        )}
        <span className="block truncate text-xs text-muted-foreground md:hidden">
          {events.join(", ")}
        </span>
      </>
    ),
  },
  {
    header: "Events",
    from: "md",
    className: "max-w-64 truncate text-muted-foreground",
    cell: ({ events }) => <span title={events.join(", ")}>{events.join(", ")}</span>,
  },
  { header: "Status", cell: (endpoint) => <EndpointBadge endpoint={endpoint} /> },
];

/** The endpoints of the account. */
export function EndpointsCard({ endpoints }: { readonly endpoints: readonly EndpointRow[] }) {
  return (
    <Card aria-label="Webhook endpoints">
      <CardHeader className="pb-4">
        <div>
          <CardTitle>Endpoints</CardTitle>
          <CardDescription>
            URLs that get the events you choose, of all jobs and of your account.
          </CardDescription>
        </div>
        {endpoints.length > 0 && <AddEndpoint />}
      </CardHeader>
      <DataTable
        label="Endpoints"
        columns={columns}
        rows={endpoints}
        empty={
          <EmptyState icon={WebhookIcon} title="No endpoints yet" action={<AddEndpoint />}>
            With an endpoint, you do not need <code>webhook_url</code> in each request.
          </EmptyState>
        }
      />
    </Card>
  );
}

function AddEndpoint() {
  return (
    <Button asChild>
      <Link href="/dashboard/webhooks/endpoints/new">
        <PlusIcon />
        Add endpoint
      </Link>
    </Button>
  );
}
