"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { EndpointFields } from "#components/webhooks/endpoints/endpoint-form.tsx";
import {
  changedEndpoint,
  newEndpoint,
} from "#lib/api/endpoints/webhooks/endpoints/endpoint-body.ts";
import { requireConfirmedEmail } from "#lib/api/http/callers/authorize.ts";
import { parseWebhookUrl } from "#lib/api/http/url-field.ts";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";
import { requireRecentAuthentication } from "#lib/auth/reauthentication/reauthenticate.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import {
  changeEndpoint,
  createEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  testEndpoint,
} from "#lib/webhooks/manage-endpoints.ts";

type Failure = { readonly error: string };
type Result<Value> = Value | Failure | NeedsReauthentication;

const endpointId = z.string().max(64);

/** Creates an endpoint. Its secret is not shown again. */
export async function createOwnEndpoint(
  fields: EndpointFields,
): Promise<Result<{ readonly id: string; readonly secret: string }>> {
  const session = await requireAccount();
  const needed = await requireRecentAuthentication(session);
  if (needed) return needed;
  return reportError(async () => {
    await requireConfirmed(session.id);
    const given = parse(newEndpoint, fields);
    const url = await parseWebhookUrl("url", given.url, session.id);
    const { endpoint, secret } = await createEndpoint(session.id, { ...given, url });
    return { id: endpoint.id, secret };
  });
}

/** Changes the settings of an endpoint. */
export async function changeOwnEndpoint(
  id: string,
  fields: EndpointFields,
): Promise<Result<{ readonly id: string }>> {
  const session = await requireAccount();
  const needed = await requireRecentAuthentication(session);
  if (needed) return needed;
  return reportError(async () => {
    const { url: given, ...settings } = parse(changedEndpoint, fields);
    const url = await parseWebhookUrl("url", given, session.id);
    await changeEndpoint(session.id, endpointId.parse(id), { ...settings, url });
    return { id };
  });
}

/** Sets a new secret and returns it once. */
export async function rotateOwnEndpoint(id: string): Promise<Result<{ readonly secret: string }>> {
  const session = await requireAccount();
  const needed = await requireRecentAuthentication(session);
  if (needed) return needed;
  return reportError(async () => {
    const { secret } = await rotateEndpointSecret(session.id, endpointId.parse(id));
    return { secret };
  });
}

/** Sends a test event. Resolves with why it was not sent. */
export async function testOwnEndpoint(id: string): Promise<Failure | undefined> {
  const session = await requireAccount();
  return reportError(async () => {
    await requireConfirmed(session.id);
    await testEndpoint(session.id, endpointId.parse(id));
    return undefined;
  });
}

export async function setOwnEndpointEnabled(
  id: string,
  enabled: boolean,
): Promise<Failure | undefined> {
  const session = await requireAccount();
  return reportError(async () => {
    await changeEndpoint(session.id, endpointId.parse(id), { enabled: z.boolean().parse(enabled) });
    return undefined;
  });
}

export async function removeOwnEndpoint(id: string): Promise<Failure | undefined> {
  const session = await requireAccount();
  return reportError(async () => {
    await removeEndpoint(session.id, endpointId.parse(id));
    return undefined;
  });
}

/** A webhook has a body of the account's choice, so an unknown person may not send one. */
async function requireConfirmed(accountId: string): Promise<void> {
  const account = await findAccount(db(), accountId);
  if (account) requireConfirmedEmail(account);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = `\`${String(issue?.path[0])}\` ${issue?.message}.`;
  throw new RequestError("invalid_parameter", message);
}

/** What `work` returns, or what the user is to know about why it failed. */
async function reportError<Value>(work: () => Promise<Value>): Promise<Value | Failure> {
  try {
    const value = await work();
    revalidatePath("/dashboard/webhooks", "layout");
    return value;
  } catch (error) {
    if (error instanceof RequestError) return { error: error.message };
    throw error;
  }
}
