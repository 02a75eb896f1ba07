import type { EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";
import { seal, unseal } from "#lib/service-secret.ts";
import type { SigningPair } from "../signature/sign.ts";

/** For what the secrets of endpoints are encrypted. */
export const endpointPurpose = "webhook endpoints";

/** Encrypts the signing secrets of an endpoint: the present one, then the previous one if there is one. */
export function sealSigningSecrets(id: string, secrets: readonly string[]): string {
  return seal({ purpose: endpointPurpose, id }, JSON.stringify(secrets));
}

/** The signing secrets of an endpoint, the present one first. */
export function revealSigningSecrets({
  id,
  secrets,
}: Pick<EndpointRow, "id" | "secrets">): string[] {
  return JSON.parse(unseal({ purpose: endpointPurpose, id }, secrets));
}

/** What signs the webhooks of an endpoint. */
export function signingPairOf(endpoint: EndpointRow): SigningPair {
  const [webhookSecret = "", previousWebhookSecret = null] = revealSigningSecrets(endpoint);
  const { previousSecretExpiresAt: previousWebhookSecretExpiresAt } = endpoint;
  return { webhookSecret, previousWebhookSecret, previousWebhookSecretExpiresAt };
}
