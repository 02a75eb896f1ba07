"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { countActiveKeys, revokeApiKey } from "#lib/db/queries/accounts/api-keys.ts";
import { keyEnvironments } from "#lib/db/schema/credentials/api-keys.ts";
import { createApiKey, maxActiveKeys } from "../api-keys.ts";
import { isEmailUnconfirmed, unconfirmedMessage } from "../emails/email-confirmation.ts";
import type { NeedsReauthentication } from "../next-auth/credentials.ts";
import { requireRecentAuthentication } from "../reauthentication/reauthenticate.ts";
import { requireAccount } from "../session.ts";

const maxExpiryDays = 366;

const newKey = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "Enter a name, such as where the key will be used.")
    .max(60, "The name must have at most 60 characters.")
    .regex(/^\P{Cc}*$/u, "The name must not contain control characters."),
  environment: z.enum(keyEnvironments, "Choose development or production."),
  /** Days until it expires; null: never. */
  expiresInDays: z.int().min(1).max(maxExpiryDays).nullable(),
});

export type NewKeyRequest = z.input<typeof newKey>;

/** The key itself, which is never shown again, or an error message. */
export type NewKeyResult =
  | { readonly apiKey: string }
  | { readonly error: string }
  | NeedsReauthentication;

/** Creates a key for the current account. */
export async function createKey(request: NewKeyRequest): Promise<NewKeyResult> {
  const account = await requireAccount();
  if (isEmailUnconfirmed(account)) return { error: unconfirmedMessage };
  const parsed = newKey.safeParse(request);
  if (!parsed.success)
    return { error: parsed.error.issues[0]?.message ?? "The form is not valid." };
  const needed = await requireRecentAuthentication(account);
  if (needed) return needed;
  if ((await countActiveKeys(db(), account.id)) >= maxActiveKeys) {
    return { error: `An account has at most ${maxActiveKeys} valid keys. Revoke one first.` };
  }
  const { name, environment, expiresInDays } = parsed.data;
  const expiresAt =
    expiresInDays === null ? null : new Date(Date.now() + expiresInDays * 86_400_000);
  const { apiKey } = await createApiKey(account.id, { name, environment, expiresAt });
  revalidatePath("/dashboard", "layout");
  return { apiKey };
}

/** Revokes a key of the current account: its next request is rejected. False if there is no such key. */
export async function revokeKey(id: string): Promise<boolean> {
  const account = await requireAccount();
  const revoked = await revokeApiKey(db(), z.string().max(64).parse(id), account.id);
  revalidatePath("/dashboard/keys");
  return revoked;
}
