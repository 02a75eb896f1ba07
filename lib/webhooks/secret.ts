import { randomBytes } from "node:crypto";

/** A signing secret as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
