"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { DeliveryProgress, SendResult } from "#components/webhooks/send/results.ts";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";
import { requireRecentAuthentication } from "#lib/auth/reauthentication/reauthenticate.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { findOwnDelivery } from "#lib/db/queries/webhooks/deliveries.ts";
import { createTestDelivery } from "#lib/webhooks/deliveries.ts";
import { replayDelivery } from "#lib/webhooks/replay.ts";
import { rotateWebhookSecret } from "#lib/webhooks/secret.ts";
import { resendTo, sendTo } from "./send-result.ts";

/** The account's webhook secret. It is loaded on demand and not part of the page. */
export async function revealSecret(): Promise<string | NeedsReauthentication> {
  const session = await requireAccount();
  const needed = await requireRecentAuthentication(session);
  if (needed) return needed;
  const account = await findAccount(db(), session.id);
  if (!account) throw new Error("the account was deleted");
  return account.webhookSecret;
}

/** Creates a new webhook secret. Webhooks are also signed with the current one for 24 hours. */
export async function rotateSecret(): Promise<string | NeedsReauthentication> {
  const session = await requireAccount();
  const needed = await requireRecentAuthentication(session);
  if (needed) return needed;
  const secret = await rotateWebhookSecret(session.id);
  revalidatePath("/dashboard/webhooks");
  return secret;
}

/** Sends a test event. Returns the delivery's ID, or why the URL was rejected. */
export async function sendTestEvent(url: string): Promise<SendResult> {
  const account = await requireAccount();
  const result = await sendTo(account.id, z.string().parse(url), (href) =>
    createTestDelivery(account.id, href),
  );
  revalidatePath("/dashboard/webhooks");
  return result;
}

/** How far a delivery of the account is. */
export async function readProgress(id: string): Promise<DeliveryProgress | undefined> {
  const account = await requireAccount();
  const delivery = await findOwnDelivery(db(), account.id, z.string().max(64).parse(id));
  const { status, durationMs, response } = delivery?.attempts.at(-1) ?? {};
  return (
    delivery && {
      status: delivery.status,
      attempt:
        status === undefined || durationMs === undefined
          ? null
          : { status, durationMs, response: response ?? "" },
    }
  );
}

/** Sends what a delivery sent to another URL, as a delivery of its own. */
export async function replayWebhook(id: string, url: string): Promise<SendResult> {
  const account = await requireAccount();
  const delivery = await findOwnDelivery(db(), account.id, z.string().max(64).parse(id));
  if (!delivery) return { error: "There is no such delivery." };
  return sendTo(account.id, z.string().parse(url), (href) => replayDelivery(delivery, href));
}

/** Sends a webhook again. */
export async function resendWebhook(id: string): Promise<SendResult> {
  const account = await requireAccount();
  const result = await resendTo(account.id, z.string().max(64).parse(id));
  revalidatePath("/dashboard/webhooks", "layout");
  return result;
}
