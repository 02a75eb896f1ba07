import { randomBytes } from "node:crypto";
import { db } from "#lib/db/client.ts";
import { replaceWebhookSecret } from "#lib/db/queries/accounts/accounts.ts";

/** A signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** How long the previous secret also signs after a rotation, so that receivers can be changed. */
export const overlapHours = 24;

/**
 * Sets and returns a new signing secret for an account. The previous one also signs for 24 hours. An
 * even older one stops at once.
 */
export async function rotateWebhookSecret(accountId: string): Promise<string> {
  const secret = generateWebhookSecret();
  await replaceWebhookSecret(db(), accountId, secret, overlapHours);
  return secret;
}
