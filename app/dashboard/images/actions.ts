"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { isEmailUnconfirmed, unconfirmedMessage } from "#lib/auth/emails/email-confirmation.ts";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";
import { requireRecentAuthentication } from "#lib/auth/reauthentication/reauthenticate.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { purgePictures } from "#lib/images/cache/purges.ts";
import { parseImgproxyPath } from "#lib/images/imgproxy/parse-path.ts";
import { configuredPresets } from "#lib/images/imgproxy/settings.ts";
import { createPair, deletePair, type NewPair, signForAccount } from "#lib/images/keys/pairs.ts";
import { PictureError } from "#lib/images/plan/errors.ts";

const page = "/dashboard/images";

/** The new key with its secrets, which are never shown again, or an error message. */
export type NewImageKeyResult = NewPair | { readonly error: string } | NeedsReauthentication;

/** Creates a key that signs the URLs of pictures of the current account. */
export async function createImageKey(unsigned: boolean): Promise<NewImageKeyResult> {
  const account = await requireAccount();
  if (isEmailUnconfirmed(account)) return { error: unconfirmedMessage };
  const needed = await requireRecentAuthentication(account);
  if (needed) return needed;
  try {
    const pair = await createPair(account.id, { unsigned: z.boolean().parse(unsigned) });
    revalidatePath(page);
    return pair;
  } catch (error) {
    if (error instanceof RequestError) return { error: error.message };
    throw error;
  }
}

/** Deletes a key of the current account: its URLs are rejected. False if there is no such key. */
export async function deleteImageKey(id: string): Promise<boolean> {
  const account = await requireAccount();
  const isDeleted = await deletePair(account.id, z.string().max(64).parse(id));
  revalidatePath(page);
  return isDeleted;
}

/** Removes the pictures of a source, or of all sources with a prefix, from the cache. Resolves with an error message. */
export async function purgeImages(
  kind: "source" | "prefix",
  text: string,
): Promise<string | undefined> {
  const account = await requireAccount();
  const value = z.string().trim().max(2048).parse(text);
  if (value === "") return "Enter a URL.";
  try {
    await purgePictures(account.id, kind === "prefix" ? "prefix" : "source", value);
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error.message;
    throw error;
  }
}

/** The signed URL of a path of options and a source, such as `/w:300/plain/https://…`, or what is wrong with it. */
export async function signImageUrl(
  id: string,
  path: string,
): Promise<{ readonly url: string } | { readonly error: string }> {
  const account = await requireAccount();
  const parsed = z.string().startsWith("/").max(8000).parse(path);
  try {
    parseImgproxyPath(parsed.slice(1), { presets: configuredPresets() });
  } catch (error) {
    if (error instanceof PictureError) return { error: error.message };
    throw error;
  }
  const signature = await signForAccount(account.id, z.string().max(64).parse(id), parsed);
  if (signature === undefined) return { error: "This key does not exist any more." };
  return { url: `${env.APP_URL}/i/${id}/${signature}${parsed}` };
}
