"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { after } from "next/server";
import { clearSessionCookie } from "#lib/auth/cookies/session-token.ts";
import type { FormState } from "#lib/auth/next-auth/credentials.ts";
import { reauthenticate } from "#lib/auth/reauthentication/reauthenticate.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { closeAccount, deleteAccountFiles } from "#lib/jobs/actions/close-account.ts";
import { log } from "#lib/log.ts";

/** Deletes the signed-in account after a password check. */
export async function deleteAccount(_previous: FormState, form: FormData): Promise<FormState> {
  const account = await requireAccount();
  const { id } = account;
  const rejection = await reauthenticate(account, form);
  if (rejection) return rejection;
  await closeAccount(id);
  clearSessionCookie(await cookies());
  // There can be many files. The sweep deletes the ones that remain.
  after(() =>
    deleteAccountFiles(id).catch((err) =>
      log.error({ err }, "deleting the files of a deleted account failed"),
    ),
  );
  redirect("/sign-in?notice=deleted");
}
