"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ReceivedContent } from "#components/webhooks/receiver/received-view.ts";
import type { SendResult } from "#components/webhooks/send/results.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db, transaction } from "#lib/db/client.ts";
import { deleteReceivedRequests, findReceivedRequest } from "#lib/db/queries/webhooks/received.ts";
import { ensureReceiver, updateReceiver } from "#lib/db/queries/webhooks/receivers.ts";
import { sampleTypes } from "#lib/db/schema/event-types.ts";
import { createSampleEvent } from "#lib/jobs/view/sample-event.ts";
import { receiverDelays, receiverStatuses } from "#lib/webhooks/receiver/responses.ts";
import { createReceiverToken, receiverUrl } from "#lib/webhooks/receiver/url.ts";
import { replayReceived, sendContent } from "#lib/webhooks/replay.ts";
import { sendTo } from "../send-result.ts";

const page = "/dashboard/webhooks/receiver";
const id = z.string().max(64);
const url = z.string().max(4096);

/** Gives the receiver another URL. The former one stops working. */
export async function replaceUrl(): Promise<void> {
  const account = await requireAccount();
  await updateReceiver(db(), account.id, { token: createReceiverToken() });
  revalidatePath(page);
}

/** Sets what the receiver responds. */
export async function setResponse(status: number, delaySeconds: number): Promise<void> {
  const account = await requireAccount();
  await updateReceiver(db(), account.id, {
    responseStatus: z.literal(receiverStatuses).parse(status),
    delaySeconds: z.literal(receiverDelays).parse(delaySeconds),
  });
  revalidatePath(page);
}

/** Deletes all received requests. */
export async function clearRequests(): Promise<void> {
  const account = await requireAccount();
  await transaction((tx) => deleteReceivedRequests(tx, account.id));
}

/** The headers and the body of a received request. Undefined if it was deleted. */
export async function readRequest(given: string): Promise<ReceivedContent | undefined> {
  const account = await requireAccount();
  const found = await findReceivedRequest(db(), account.id, id.parse(given));
  return found && { headers: found.headers, body: found.body };
}

/** Sends a received request again, to any URL. */
export async function replayRequest(given: string, target: string): Promise<SendResult> {
  const account = await requireAccount();
  const requestId = id.parse(given);
  return sendTo(account.id, url.parse(target), (href) =>
    replayReceived(account.id, requestId, href),
  );
}

/** Sends a new sample of an event to the receiver. */
export async function sendSampleToReceiver(type: string): Promise<SendResult> {
  const account = await requireAccount();
  const receiver = await ensureReceiver(db(), account.id, createReceiverToken());
  return sendSample(type, receiverUrl(receiver.token));
}

/** Sends a new sample of an event to any URL. */
export async function sendSample(type: string, target: string): Promise<SendResult> {
  const account = await requireAccount();
  const event = z.enum(sampleTypes).parse(type);
  const body = JSON.stringify(createSampleEvent(event));
  return sendTo(account.id, url.parse(target), (href) =>
    sendContent(account.id, href, event, {
      webhookId: null,
      contentType: "application/json",
      body,
    }),
  );
}
