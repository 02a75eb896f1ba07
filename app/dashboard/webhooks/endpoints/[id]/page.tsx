import { WebhookIcon } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { RefreshWhile } from "#components/dashboard/refresh-while.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardFooter, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { DeliveriesTable } from "#components/webhooks/deliveries-table.tsx";
import { deliveriesUrl } from "#components/webhooks/delivery-filters.ts";
import { isDueSoon } from "#components/webhooks/due-soon.ts";
import { EndpointActions } from "#components/webhooks/endpoints/endpoint-actions.tsx";
import { EndpointBadge } from "#components/webhooks/endpoints/endpoint-badge.tsx";
import { EndpointSettingsCard } from "#components/webhooks/endpoints/endpoint-settings-card.tsx";
import { db } from "#lib/db/client.ts";
import { listDeliveriesBefore } from "#lib/db/queries/webhooks/deliveries.ts";
import type { EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";
import {
  changeOwnEndpoint,
  removeOwnEndpoint,
  rotateOwnEndpoint,
  setOwnEndpointEnabled,
  testOwnEndpoint,
} from "../actions.ts";
import { readEndpoint } from "./read-endpoint.ts";

export const metadata: Metadata = { title: "Webhook endpoint" };

const pageSize = 20;

interface EndpointPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export default async function EndpointPage({ params }: EndpointPageProps) {
  const endpoint = await readEndpoint((await params).id);
  if (!endpoint) notFound();
  const { id, accountId } = endpoint;
  const rows = await listDeliveriesBefore(db(), accountId, { endpointId: id }, pageSize + 1);
  const now = new Date();
  const { url, description, events, previousSecretExpiresAt: until } = endpoint;
  return (
    <>
      <PageHeader
        title={description === "" ? "Webhook endpoint" : description}
        description={<span className="break-all">{url}</span>}
        parent={{ href: "/dashboard/webhooks", label: "Webhooks" }}
        actions={
          <EndpointActions
            id={id}
            enabled={endpoint.enabled}
            sendTest={testOwnEndpoint}
            setEnabled={setOwnEndpointEnabled}
            remove={removeOwnEndpoint}
          />
        }
      />
      <RefreshWhile active={rows.some((delivery) => isDueSoon(delivery, now))} />
      <div className="grid grid-cols-1 gap-6">
        <p className="flex flex-wrap items-center gap-3 text-sm" role="status">
          <EndpointBadge endpoint={endpoint} />
          <Reason endpoint={endpoint} />
        </p>
        <Card>
          <CardHeader className="pb-4">
            <CardTitle>Deliveries</CardTitle>
          </CardHeader>
          <DeliveriesTable
            deliveries={rows.slice(0, pageSize)}
            now={now}
            empty={<NoDeliveries />}
          />
          {rows.length > pageSize && (
            <CardFooter>
              <Button variant="outline" size="sm" asChild>
                <Link href={deliveriesUrl({ endpoint: id })}>All deliveries to this endpoint</Link>
              </Button>
            </CardFooter>
          )}
        </Card>
        <EndpointSettingsCard
          // Other settings need a new form, because its fields are uncontrolled.
          key={`${url} ${description} ${events.join(" ")}`}
          id={id}
          initial={{ url, description, events }}
          previousUntil={until && until > now ? until.toISOString() : null}
          change={changeOwnEndpoint}
          rotate={rotateOwnEndpoint}
        />
      </div>
    </>
  );
}

/** Why the endpoint gets no events, or may soon get none. */
function Reason({
  endpoint: { enabled, failingSince, disabledAt, disabledReason },
}: {
  readonly endpoint: EndpointRow;
}) {
  if (enabled && !failingSince) return "It gets the events that you have chosen.";
  if (enabled && failingSince) {
    return (
      <span>
        No attempt has succeeded since <LocalTime time={failingSince.toISOString()} />. After five
        days, the endpoint is disabled.
      </span>
    );
  }
  const reasons = {
    owner: "You disabled it",
    failing: "It was disabled because no attempt had succeeded for five days",
    gone: "It was disabled because it answered 410 Gone",
  } as const;
  return (
    <span>
      {reasons[disabledReason ?? "owner"]}
      {disabledAt && (
        <>
          , <LocalTime time={disabledAt.toISOString()} />
        </>
      )}
      . Send a test event to see whether it works, then enable it.
    </span>
  );
}

function NoDeliveries() {
  return (
    <EmptyState icon={WebhookIcon} title="No deliveries yet">
      Send a test event, or run a job. Every attempt is listed here.
    </EmptyState>
  );
}
