import type { SendResult } from "#components/webhooks/send/results.ts";
import { requireConfirmedEmail } from "#lib/api/http/callers/authorize.ts";
import { parseWebhookUrl } from "#lib/api/http/url-field.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { resendDelivery } from "#lib/webhooks/deliveries.ts";

/** Sends a delivery of the account again. */
export async function resendTo(accountId: string, id: string): Promise<SendResult> {
  try {
    const delivery = await resendDelivery(accountId, id);
    return delivery ? { id: delivery.id } : { error: "There is no such delivery." };
  } catch (error) {
    if (error instanceof RequestError) return { error: error.message };
    throw error;
  }
}

/** Sends something to a URL that the user gave. The result is the delivery's id, or why it is not sent. */
export async function sendTo(
  accountId: string,
  url: string,
  send: (url: string) => Promise<{ readonly id: string }>,
): Promise<SendResult> {
  try {
    const account = await findAccount(db(), accountId);
    // A webhook has a body of the account's choice, so an unknown person may not send one.
    if (account) requireConfirmedEmail(account);
    const { id } = await send(await parseWebhookUrl("url", url, accountId));
    return { id };
  } catch (error) {
    if (error instanceof RequestError) return { error: error.message };
    throw error;
  }
}
