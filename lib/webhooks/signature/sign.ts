import { Webhook } from "standardwebhooks";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";

/** What signs the webhooks of an account, or of one of its endpoints. */
export type SigningPair = Pick<
  Account,
  "webhookSecret" | "previousWebhookSecret" | "previousWebhookSecretExpiresAt"
>;

/** The secrets that sign at a time: after a rotation two, the newer one first. */
export function signingSecrets(pair: SigningPair, at: Date): string[] {
  const { webhookSecret, previousWebhookSecret: previous } = pair;
  const expiresAt = pair.previousWebhookSecretExpiresAt;
  return previous && expiresAt && expiresAt > at ? [webhookSecret, previous] : [webhookSecret];
}

/** What a webhook sends. */
export interface WebhookMessage {
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly contentType?: string;
}

/** The headers of Standard Webhooks, with a signature for each of the secrets. */
export function signHeaders(
  { id, body, contentType = "application/json" }: WebhookMessage,
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  return {
    "content-type": contentType,
    "user-agent": "Mediamill-Webhooks/1.0",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}
