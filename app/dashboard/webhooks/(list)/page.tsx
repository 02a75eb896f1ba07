import { InboxIcon } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { RefreshWhile } from "#components/dashboard/refresh-while.tsx";
import { Button } from "#components/ui/button.tsx";
import { DeliveriesCard } from "#components/webhooks/deliveries-card.tsx";
import { parseDeliveryQuery } from "#components/webhooks/delivery-filters.ts";
import { isDueSoon } from "#components/webhooks/due-soon.ts";
import { EndpointsCard } from "#components/webhooks/endpoints/endpoints-card.tsx";
import { SecretCard } from "#components/webhooks/secret-card.tsx";
import { TestCard } from "#components/webhooks/test-card.tsx";
import { VerifyCard } from "#components/webhooks/verify-card.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { listDeliveriesBefore } from "#lib/db/queries/webhooks/deliveries.ts";
import { listEndpoints } from "#lib/db/queries/webhooks/endpoints.ts";
import { revealSecret, rotateSecret, sendTestEvent } from "../actions.ts";

export const metadata: Metadata = { title: "Webhooks" };

const pageSize = 20;

interface WebhooksPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function WebhooksPage({ searchParams }: WebhooksPageProps) {
  const { id } = await requireAccount();
  const query = parseDeliveryQuery(await searchParams);
  const now = new Date();
  const { job: jobId, endpoint: endpointId, status, before } = query;
  const filter = { jobId, endpointId, status, before };
  const [account, endpoints, rows] = await Promise.all([
    findAccount(db(), id),
    listEndpoints(db(), id),
    // One more row than a page shows whether there are older deliveries.
    listDeliveriesBefore(db(), id, filter, pageSize + 1),
  ]);
  const deliveries = rows.slice(0, pageSize);
  const until = account?.previousWebhookSecretExpiresAt;
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Get a signed HTTP request when something happens to a job or to your account."
        actions={
          <Button variant="outline" asChild>
            <Link href="/dashboard/webhooks/receiver" data-verb="Open the test receiver">
              <InboxIcon />
              Test receiver
            </Link>
          </Button>
        }
      />
      <RefreshWhile active={deliveries.some((delivery) => isDueSoon(delivery, now))} />
      <div className="grid grid-cols-1 gap-6">
        <EndpointsCard endpoints={endpoints} />
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <SecretCard
            previousUntil={until && until > now ? until.toISOString() : null}
            reveal={revealSecret}
            rotate={rotateSecret}
          />
          <TestCard send={sendTestEvent} />
        </div>
        <DeliveriesCard
          deliveries={deliveries}
          query={query}
          hasMore={rows.length > pageSize}
          now={now}
        />
        <VerifyCard reveal={revealSecret} />
      </div>
    </>
  );
}
