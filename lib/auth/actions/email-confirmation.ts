"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { setEmailConfirmed } from "#lib/db/queries/accounts/accounts.ts";
import {
  isEmailUnconfirmed,
  readConfirmationToken,
  sendConfirmation,
} from "../emails/email-confirmation.ts";
import { type FormState, parseForm, passwordField } from "../next-auth/credentials.ts";
import { signInByPassword } from "../next-auth/next-auth-requests.ts";
import { takeNextPage } from "../next-page.ts";
import { currentAccount, requireAccount } from "../session.ts";
import { signInErrorMessage } from "../sign-in-errors.ts";
import { requireSameOrigin } from "./require-same-origin.ts";

const shape = z.object({ token: z.string().max(200), password: passwordField.optional() });

/**
 * Confirms the email address of a link's account, for the person who is signed in to it or knows its password.
 * So no one confirms an account by accident that another person made with their address.
 */
export async function confirmEmail(_previous: FormState, form: FormData): Promise<FormState> {
  await requireSameOrigin();
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const { token, password } = parsed.fields;
  const account = await readConfirmationToken(token);
  if (!account)
    return { errors: { form: "This link is no longer valid. Sign in to get another one." } };
  if ((await currentAccount())?.id !== account.id) {
    if (password === undefined) return { errors: { password: "Enter the password." } };
    const error = await signInByPassword({ email: account.email, password });
    if (error) return { errors: { password: signInErrorMessage(error) ?? "" } };
  }
  await setEmailConfirmed(db(), account.id);
  revalidatePath("/dashboard", "layout");
  redirect(await takeNextPage());
}

/** Sends the link to the signed-in account again, and leads to the page that says so. */
export async function sendConfirmationAgain(): Promise<void> {
  const account = await requireAccount();
  if (!isEmailUnconfirmed(account)) redirect("/dashboard");
  const limited = await sendConfirmation(account);
  redirect(`/confirm-email?notice=${limited === undefined ? "sent" : "limited"}`);
}
