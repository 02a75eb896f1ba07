import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { RefreshWhile } from "#components/dashboard/refresh-while.tsx";
import { AttemptCard } from "#components/webhooks/attempt-card.tsx";
import { DeliveryDetails } from "#components/webhooks/delivery-details.tsx";
import { isDueSoon } from "#components/webhooks/due-soon.ts";
import { ReplayCard } from "#components/webhooks/replay-card.tsx";
import { ResendButton } from "#components/webhooks/resend-button.tsx";
import { db } from "#lib/db/client.ts";
import { findContent } from "#lib/db/queries/webhooks/contents.ts";
import { listWebhookRequests } from "#lib/db/queries/webhooks/requests.ts";
import { readProgress, replayWebhook, resendWebhook } from "../actions.ts";
import { readDelivery } from "./read-delivery.ts";

export const metadata: Metadata = { title: "Webhook delivery" };

interface DeliveryPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export default async function DeliveryPage({ params }: DeliveryPageProps) {
  const delivery = await readDelivery((await params).id);
  if (!delivery) notFound();
  const [requests, content] = await Promise.all([
    listWebhookRequests(db(), delivery.accountId, delivery.id),
    findContent(db(), delivery.id),
  ]);
  const now = new Date();
  const attempts = delivery.attempts.map((attempt, index) => ({
    number: index + 1,
    attempt,
    request: requests.find(({ at }) => at.toISOString() === attempt.at),
  }));
  return (
    <>
      <PageHeader
        title={delivery.event}
        parent={{ href: "/dashboard/webhooks#deliveries", label: "Deliveries" }}
        actions={<ResendButton id={delivery.id} resend={resendWebhook} />}
      />
      <RefreshWhile active={isDueSoon(delivery, now)} />
      <div className="grid grid-cols-1 gap-6">
        <DeliveryDetails
          delivery={delivery}
          webhookId={content?.webhookId ?? delivery.id}
          now={now}
        />
        {requests.length > 0 && (
          <ReplayCard id={delivery.id} replay={replayWebhook} readProgress={readProgress} />
        )}
        {attempts.reverse().map(({ number, attempt, request }) => (
          <AttemptCard
            key={number}
            number={number}
            attempt={attempt}
            request={request}
            open={number === delivery.attempts.length}
          />
        ))}
      </div>
    </>
  );
}
