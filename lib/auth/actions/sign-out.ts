"use server";

import { revalidatePath } from "next/cache";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { db } from "#lib/db/client.ts";
import { deleteOwnSession, deleteSessions } from "#lib/db/queries/accounts/sessions.ts";
import { clearSessionCookie } from "../cookies/session-token.ts";
import { currentAccount, requireAccount } from "../session.ts";

/** Signs out of this browser. */
export async function signOut(): Promise<void> {
  const account = await currentAccount();
  if (account) {
    await deleteOwnSession(db(), account.id, account.sessionId);
    clearSessionCookie(await cookies());
  }
  redirect("/sign-in");
}

/** Signs out of every browser, this one too. */
export async function signOutEverywhere(): Promise<void> {
  const account = await requireAccount();
  await deleteSessions(db(), account.id);
  clearSessionCookie(await cookies());
  redirect("/sign-in");
}

/** Signs out of the browser that the form's `session` names. */
export async function endSession(form: FormData): Promise<void> {
  const account = await requireAccount();
  await deleteOwnSession(db(), account.id, String(form.get("session")));
  revalidatePath("/dashboard/settings");
}
