import { db, transaction } from "#lib/db/client.ts";
import {
  deleteEndpoint,
  findEndpoint,
  giveUpDeliveriesOf,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  redirectDeliveriesOf,
  updateEndpoint,
} from "#lib/db/queries/webhooks/endpoints.ts";
import type { EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";
import type { EndpointEventType, eventPatterns } from "#lib/db/schema/event-types.ts";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { queue } from "#lib/queue/index.ts";
import { enqueueManualDelivery } from "./deliveries.ts";
import { revealSigningSecrets, sealSigningSecrets } from "./endpoints/secrets.ts";
import { generateWebhookSecret, overlapHours } from "./secret.ts";

/** Endpoints as their owner manages them. */

/** Each event of an account is written once for each of its endpoints. */
export const maxEndpoints = 50;

/** A type of events, or a pattern of them. */
export type EventChoice = EndpointEventType | (typeof eventPatterns)[number];

/** What an owner chooses. The URL is one that may receive webhooks. */
export interface EndpointSettings {
  readonly url: string;
  readonly events: readonly EventChoice[];
  readonly description: string;
}

/** An endpoint and its present secret, which is shown only now. */
export interface EndpointWithSecret {
  readonly endpoint: EndpointRow;
  readonly secret: string;
}

/** Creates an endpoint. Throws `conflict` if the account has too many. */
export async function createEndpoint(
  accountId: string,
  { events, ...settings }: EndpointSettings,
): Promise<EndpointWithSecret> {
  const id = createId("we");
  const secret = generateWebhookSecret();
  const values = {
    id,
    accountId,
    ...settings,
    events: [...new Set(events)],
    secrets: sealSigningSecrets(id, [secret]),
  };
  const endpoint = await transaction((tx) => insertEndpoint(tx, values, maxEndpoints));
  if (endpoint) return { endpoint, secret };
  const message = `An account has at most ${maxEndpoints} webhook endpoints. Delete one first.`;
  throw new RequestError("conflict", message);
}

/** An account's endpoints, newest first. */
export function listOwnEndpoints(accountId: string): Promise<EndpointRow[]> {
  return listEndpoints(db(), accountId);
}

/** An endpoint of the account. Throws `not_found`. */
export async function readEndpoint(accountId: string, id: string): Promise<EndpointRow> {
  return (await findEndpoint(db(), accountId, id)) ?? throwNotFound();
}

/**
 * Changes what is given. What waits for an attempt goes to a new URL, and is given up if the endpoint is disabled. An
 * endpoint that is enabled again, or has a new URL, counts as one that has never failed. Throws `not_found`.
 */
export function changeEndpoint(
  accountId: string,
  id: string,
  { enabled, events, ...settings }: Partial<EndpointSettings & { readonly enabled: boolean }>,
): Promise<EndpointRow> {
  return transaction(async (tx) => {
    const endpoint = (await lockEndpoint(tx, { accountId, id })) ?? throwNotFound();
    const isMoved = settings.url !== undefined && settings.url !== endpoint.url;
    const changed = await updateEndpoint(tx, endpoint, {
      // A request may change nothing.
      url: endpoint.url,
      ...settings,
      ...(events && { events: [...new Set(events)] }),
      ...(isMoved && { failingSince: null }),
      ...(enabled !== undefined && enabled !== endpoint.enabled && switchedTo(enabled)),
    });
    if (isMoved) await redirectDeliveriesOf(tx, id, settings.url ?? endpoint.url);
    if (enabled === false) await giveUpDeliveriesOf(tx, id);
    return changed ?? throwNotFound();
  });
}

function switchedTo(enabled: boolean): Partial<EndpointRow> {
  const reset = { enabled, failingSince: null, mail: "none" } as const;
  return enabled
    ? { ...reset, disabledAt: null, disabledReason: null }
    : { ...reset, disabledAt: new Date(), disabledReason: "owner" };
}

/** Deletes an endpoint. What waits for it is given up; what was delivered stays listed. Throws `not_found`. */
export function removeEndpoint(accountId: string, id: string): Promise<void> {
  return transaction(async (tx) => {
    if (!(await deleteEndpoint(tx, accountId, id))) throwNotFound();
    await giveUpDeliveriesOf(tx, id);
  });
}

/**
 * Sets and returns a new secret. The previous one also signs for 24 hours, an even older one stops at once. Throws
 * `not_found`.
 */
export function rotateEndpointSecret(accountId: string, id: string): Promise<EndpointWithSecret> {
  const secret = generateWebhookSecret();
  return transaction(async (tx) => {
    const known = (await lockEndpoint(tx, { accountId, id })) ?? throwNotFound();
    const [previous = ""] = revealSigningSecrets(known);
    const endpoint = await updateEndpoint(tx, known, {
      secrets: sealSigningSecrets(id, [secret, previous]),
      previousSecretExpiresAt: new Date(Date.now() + overlapHours * 3_600_000),
    });
    return { endpoint: endpoint ?? throwNotFound(), secret };
  });
}

/**
 * Sends a test event to an endpoint, also to one that is disabled. Throws `not_found`, and `rate_limited`.
 */
export async function testEndpoint(accountId: string, id: string): Promise<DeliveryRow> {
  const opened = await queue();
  const { delivery, afterCommit } = await transaction(async (tx) => {
    const { url } = (await findEndpoint(tx, accountId, id)) ?? throwNotFound();
    return enqueueManualDelivery(tx, opened, { accountId, url, event: "test", endpointId: id });
  });
  await afterCommit();
  return delivery;
}

function throwNotFound(): never {
  throw new RequestError("not_found", "No webhook endpoint with this id exists.");
}
