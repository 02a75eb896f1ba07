import type { Metadata } from "next";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { ReceivedList } from "#components/webhooks/receiver/received-list.tsx";
import { toView } from "#components/webhooks/receiver/received-view.ts";
import { ReceiverCard } from "#components/webhooks/receiver/receiver-card.tsx";
import { SamplesCard } from "#components/webhooks/samples-card.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import {
  listReceivedRequests,
  maxReceivedRequests,
  receivedRequestDays,
} from "#lib/db/queries/webhooks/received.ts";
import { ensureReceiver } from "#lib/db/queries/webhooks/receivers.ts";
import {
  receiverDelays,
  receiverRetryAfter,
  receiverStatuses,
} from "#lib/webhooks/receiver/responses.ts";
import { createReceiverToken, receiverUrl } from "#lib/webhooks/receiver/url.ts";
import { readProgress } from "../actions.ts";
import * as actions from "./actions.ts";
import { createSignedSamples } from "./samples.ts";

export const metadata: Metadata = { title: "Test receiver" };

export default async function ReceiverPage() {
  const { id } = await requireAccount();
  const [receiver, account, received] = await Promise.all([
    ensureReceiver(db(), id, createReceiverToken()),
    findAccount(db(), id),
    listReceivedRequests(db(), id),
  ]);
  if (!account) throw new Error("the account was deleted");
  const now = new Date();
  return (
    <>
      <PageHeader
        title="Test receiver"
        parent={{ href: "/dashboard/webhooks", label: "Webhooks" }}
        description="See what webhooks send, and how retries work, before you have a receiver of your own."
      />
      <div className="grid grid-cols-1 gap-6">
        <ReceiverCard
          url={receiverUrl(receiver.token)}
          response={{ status: receiver.responseStatus, delaySeconds: receiver.delaySeconds }}
          statuses={receiverStatuses}
          delays={receiverDelays}
          retryAfter={receiverRetryAfter}
          replaceUrl={actions.replaceUrl}
          setResponse={actions.setResponse}
        />
        <ReceivedList
          initial={received.map(toView)}
          now={now.toISOString()}
          kept={{ requests: maxReceivedRequests, days: receivedRequestDays }}
          actions={{ read: actions.readRequest, replay: actions.replayRequest, readProgress }}
          sendSample={actions.sendSampleToReceiver}
          clear={actions.clearRequests}
        />
        <SamplesCard
          samples={createSignedSamples(account, now)}
          sendToReceiver={actions.sendSampleToReceiver}
          sendToUrl={actions.sendSample}
          readProgress={readProgress}
        />
      </div>
    </>
  );
}
