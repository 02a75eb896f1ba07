"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { confirmOwner } from "../confirm-owner.ts";
import { choicePasswordField, type FormState, parseForm } from "../credentials.ts";
import { ownPath } from "../origin.ts";
import { verifyPassword } from "../passwords.ts";
import { replacePassword } from "../replace-password.ts";
import { currentAccount, requireAccount } from "../session.ts";
import { signInByPassword } from "../through-next-auth.ts";

const shape = z.object({ password: choicePasswordField });

/** Another password for who is signed in; every session ends, and this browser gets one of a new id. */
export async function changePassword(_previous: FormState, form: FormData): Promise<FormState> {
  const { id, email } = await requireAccount();
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const refusal = await confirmOwner(id, form);
  if (refusal) return refusal;
  const { password } = parsed.fields;
  await replacePassword(id, password);
  const error = await signInByPassword({ email, password });
  if (error) redirect(`/sign-in?error=${error}`);
  return { notice: "The password is changed. Every other browser has been signed out." };
}

/** The first password that an account's owner chooses, in place of the one that was made for it. */
export async function setFirstPassword(_previous: FormState, form: FormData): Promise<FormState> {
  const signedIn = await currentAccount();
  if (!signedIn) redirect("/sign-in");
  const next = ownPath(form.get("next"));
  if (!signedIn.mustSetPassword) redirect(next);
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const { password } = parsed.fields;
  const account = await findAccount(db(), signedIn.id);
  if (account?.passwordHash && (await verifyPassword(account.passwordHash, password))) {
    return { errors: { password: "That is the password that was made for you; choose another." } };
  }
  await replacePassword(signedIn.id, password);
  const error = await signInByPassword({ email: signedIn.email, password });
  redirect(error ? `/sign-in?error=${error}` : next);
}
