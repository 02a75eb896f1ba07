"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { parseWebhookUrl } from "#lib/api/http/url-field.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { createTestDelivery, resendDelivery } from "#lib/webhooks/deliveries.ts";
import { rotateWebhookSecret } from "#lib/webhooks/secret.ts";

/** The account's webhook secret. It is loaded on demand and not part of the page. */
export async function revealSecret(): Promise<string> {
  const { id } = await requireAccount();
  const account = await findAccount(db(), id);
  if (!account) throw new Error("the account was deleted");
  return account.webhookSecret;
}

/** Creates a new webhook secret. Webhooks are also signed with the current one for 24 hours. */
export async function rotateSecret(): Promise<string> {
  const { id } = await requireAccount();
  const secret = await rotateWebhookSecret(id);
  revalidatePath("/dashboard/webhooks");
  return secret;
}

/** Sends a test event. Returns the delivery's ID, or why the URL was rejected. */
export async function sendTestEvent(
  url: string,
): Promise<{ readonly id: string } | { readonly error: string }> {
  const account = await requireAccount();
  try {
    const target = await parseWebhookUrl("url", z.string().parse(url), account.id);
    const { id } = await createTestDelivery(account.id, target);
    revalidatePath("/dashboard/webhooks");
    return { id };
  } catch (error) {
    if (error instanceof RequestError) return { error: error.message };
    throw error;
  }
}

/** Sends a webhook again. False if the account has no such delivery. */
export async function resendWebhook(id: string): Promise<boolean> {
  const account = await requireAccount();
  const delivery = await resendDelivery(account.id, z.string().max(64).parse(id));
  revalidatePath("/dashboard/webhooks", "layout");
  return delivery !== undefined;
}
