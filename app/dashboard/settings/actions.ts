"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { after } from "next/server";
import { confirmOwner } from "#lib/auth/confirm-owner.ts";
import type { FormState } from "#lib/auth/credentials.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { forgetSessionCookie } from "#lib/auth/session-token.ts";
import { closeAccount, emptyAccount } from "#lib/jobs/actions/close-account.ts";
import { log } from "#lib/log.ts";

/** Deletes the account of who is signed in, once they have shown again who they are. */
export async function deleteAccount(_previous: FormState, form: FormData): Promise<FormState> {
  const { id } = await requireAccount();
  const refusal = await confirmOwner(id, form);
  if (refusal) return refusal;
  await closeAccount(id);
  forgetSessionCookie(await cookies());
  // There may be very many files; what is not done here, the sweep does.
  after(() =>
    emptyAccount(id).catch((err) => log.error({ err }, "files of a deleted account are left")),
  );
  redirect("/sign-in?notice=deleted");
}
