"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { parseAddress } from "#lib/api/job-request.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { resendDelivery, sendTest } from "#lib/webhooks/deliveries.ts";
import { rotateWebhookSecret } from "#lib/webhooks/secret.ts";

/** The secret of who is signed in; it is in no page until it is asked for. */
export async function revealSecret(): Promise<string> {
  const { id } = await requireAccount();
  const account = await findAccount(db(), id);
  if (!account) throw new Error("the account is gone");
  return account.webhookSecret;
}

/** A secret in place of the present one, which signs beside it for a day. */
export async function rotateSecret(): Promise<string> {
  const { id } = await requireAccount();
  const secret = await rotateWebhookSecret(id);
  revalidatePath("/dashboard/webhooks");
  return secret;
}

/** Sends a test event; the delivery's id, or one sentence on why not. */
export async function sendTestEvent(
  url: string,
): Promise<{ readonly id: string } | { readonly error: string }> {
  const account = await requireAccount();
  try {
    const { id } = await sendTest(account.id, parseAddress("The address", z.string().parse(url)));
    revalidatePath("/dashboard/webhooks");
    return { id };
  } catch (error) {
    if (error instanceof RequestError) return { error: error.message };
    throw error;
  }
}

/** Sends a delivery again. False where there is no such delivery. */
export async function sendAgain(id: string): Promise<boolean> {
  const account = await requireAccount();
  const delivery = await resendDelivery(account.id, z.string().max(64).parse(id));
  revalidatePath("/dashboard/webhooks", "layout");
  return delivery !== undefined;
}
