"use server";

import { redirect } from "next/navigation";
import { after } from "next/server";
import { z } from "zod";
import { log } from "#lib/log.ts";
import { currentCaller } from "../caller.ts";
import { sendSignUpMail } from "../emails/email-confirmation.ts";
import {
  type FormState,
  newEmailField,
  newPasswordField,
  parseForm,
} from "../next-auth/credentials.ts";
import { signInByPassword } from "../next-auth/next-auth-requests.ts";
import { keepNextPage } from "../next-page.ts";
import { safeRedirectPath } from "../origin.ts";
import { canSendMail } from "../password-reset.ts";
import { TooManyAttemptsError } from "../sign-in-limits.ts";
import { signUp as createAccount, isSignUpOpen } from "../sign-up.ts";
import { requireSameOrigin } from "./require-same-origin.ts";

const shape = z.object({ email: newEmailField, password: newPasswordField });

/**
 * Submits the sign-up form. Signs in and redirects to the page in `next`, or returns the errors. If this
 * installation sends email, the response is the same whether or not the address has an account.
 */
export async function signUp(_previous: FormState, form: FormData): Promise<FormState> {
  await requireSameOrigin();
  if (!(await isSignUpOpen()))
    return { errors: { form: "Sign-up is closed. Ask the operator for an account." } };
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const { fields } = parsed;
  const values = { email: fields.email };
  const next = safeRedirectPath(form.get("next"));
  try {
    const account = await createAccount(fields, await currentCaller());
    if (canSendMail) return await confirmByMail(fields.email, next);
    if (!account) {
      const email = "This email address cannot be used for a new account. If it is yours, sign in.";
      return { errors: { email }, values };
    }
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    const minutes = Math.ceil(error.seconds / 60);
    const form = `Your network has created too many accounts. Try again in ${minutes} minutes.`;
    return { errors: { form }, values };
  }
  // The account exists now. If the sign-in fails (most likely a limit), the sign-in page says why.
  const error = await signInByPassword(fields);
  redirect(error ? `/sign-in?error=${error}&next=${encodeURIComponent(next)}` : next);
}

async function confirmByMail(email: string, next: string): Promise<never> {
  await keepNextPage(next);
  // After the response, so that its time does not reveal whether the account exists.
  after(() => sendSignUpMail(email).catch((err) => log.error({ err }, "sign-up email failed")));
  redirect(`/sign-up?notice=mail-sent&next=${encodeURIComponent(next)}`);
}
