"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { countActiveKeys, revokeApiKey } from "#lib/db/queries/accounts/api-keys.ts";
import { keyEnvironments } from "#lib/db/schema/api-keys.ts";
import { createApiKey } from "../api-keys.ts";
import { requireAccount } from "../session.ts";

/** Nobody needs more; whoever makes them by a script has lost count. */
const maxActiveKeys = 100;

const yearDays = 366;

const newKey = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "Give the key a name, such as where it will be used.")
    .max(60, "The name may have at most 60 characters.")
    .regex(/^\P{Cc}*$/u, "The name may not hold control characters."),
  environment: z.enum(keyEnvironments, "Choose development or production."),
  /** Days until it expires; null: never. */
  expiresInDays: z.int().min(1).max(yearDays).nullable(),
});

export type NewKeyRequest = z.input<typeof newKey>;

/** The key itself, which is never seen again; or one sentence on what is wrong. */
export type NewKeyAnswer = { readonly apiKey: string } | { readonly error: string };

/** Makes a key for who is signed in. */
export async function createKey(request: NewKeyRequest): Promise<NewKeyAnswer> {
  const account = await requireAccount();
  const parsed = newKey.safeParse(request);
  if (!parsed.success)
    return { error: parsed.error.issues[0]?.message ?? "The form is not valid." };
  if ((await countActiveKeys(db(), account.id)) >= maxActiveKeys) {
    return { error: `An account has at most ${maxActiveKeys} valid keys; revoke one first.` };
  }
  const { name, environment, expiresInDays } = parsed.data;
  const expiresAt =
    expiresInDays === null ? null : new Date(Date.now() + expiresInDays * 86_400_000);
  const { apiKey } = await createApiKey(account.id, { name, environment, expiresAt });
  revalidatePath("/dashboard", "layout");
  return { apiKey };
}

/** Revokes a key of who is signed in: its next request is refused. False where there is no such key. */
export async function revokeKey(id: string): Promise<boolean> {
  const account = await requireAccount();
  const revoked = await revokeApiKey(db(), z.string().max(64).parse(id), account.id);
  revalidatePath("/dashboard/keys");
  return revoked;
}
