import { randomBytes } from "node:crypto";
import { db } from "#lib/db/client.ts";
import { replaceWebhookSecret } from "#lib/db/queries/accounts/accounts.ts";

/** A signing secret as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** How long the former secret signs beside the new one, in hours: time to change a receiver's. */
const overlapHours = 24;

/**
 * Gives an account a new signing secret and answers it. The former one signs beside it for 24 h; the
 * one before that, should it still have signed, no more.
 */
export async function rotateWebhookSecret(accountId: string): Promise<string> {
  const secret = generateWebhookSecret();
  await replaceWebhookSecret(db(), accountId, secret, overlapHours);
  return secret;
}
