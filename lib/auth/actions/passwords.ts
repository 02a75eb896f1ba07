"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { after } from "next/server";
import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { sendPasswordChanged } from "../emails/password-changed.ts";
import { type FormState, newPasswordField, parseForm } from "../next-auth/credentials.ts";
import { signInByPassword } from "../next-auth/next-auth-requests.ts";
import { safeRedirectPath } from "../origin.ts";
import { verifyPassword } from "../passwords.ts";
import { reauthenticate } from "../reauthentication/reauthenticate.ts";
import { replacePassword } from "../replace-password.ts";
import { currentAccount, requireAccount } from "../session.ts";

const shape = z.object({ password: newPasswordField });

const changeShape = shape.extend({ revokeKeys: z.literal("on").optional() });

/**
 * Changes the current account's password. Ends every session and starts a new one for this browser. The form's
 * `revokeKeys` also revokes all API keys.
 */
export async function changePassword(_previous: FormState, form: FormData): Promise<FormState> {
  const account = await requireAccount();
  const { id, email } = account;
  const parsed = parseForm(changeShape, form);
  if ("state" in parsed) return parsed.state;
  const rejection = await reauthenticate(account, form);
  if (rejection) return rejection;
  const { password } = parsed.fields;
  const revokeKeys = parsed.fields.revokeKeys === "on";
  const change = await replacePassword(id, password, { revokeKeys });
  after(() => sendPasswordChanged(id, change));
  const error = await signInByPassword({ email, password });
  if (error) redirect(`/sign-in?error=${error}`);
  revalidatePath("/dashboard", "layout");
  const keys = revokeKeys ? " Your API keys are revoked." : "";
  return { notice: `Your password is changed. Every other browser is signed out.${keys}` };
}

/** Replaces the generated password of an account by one that its owner chooses. */
export async function setFirstPassword(_previous: FormState, form: FormData): Promise<FormState> {
  const current = await currentAccount();
  if (!current) redirect("/sign-in");
  const next = safeRedirectPath(form.get("next"));
  if (!current.mustSetPassword) redirect(next);
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const { password } = parsed.fields;
  const account = await findAccount(db(), current.id);
  if (account?.passwordHash && (await verifyPassword(account.passwordHash, password))) {
    return { errors: { password: "That is your one-time password. Choose another." } };
  }
  await replacePassword(current.id, password, { revokeKeys: false });
  const error = await signInByPassword({ email: current.email, password });
  redirect(error ? `/sign-in?error=${error}` : next);
}
