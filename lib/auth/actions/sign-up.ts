"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { currentCaller } from "../caller.ts";
import { type FormState, newEmailField, newPasswordField, parseForm } from "../credentials.ts";
import { signInByPassword } from "../next-auth-requests.ts";
import { safeRedirectPath } from "../origin.ts";
import { signInErrorMessage } from "../sign-in-errors.ts";
import { TooManyAttemptsError } from "../sign-in-limits.ts";
import { signUp as createAccount, isSignUpOpen } from "../sign-up.ts";
import { requireSameOrigin } from "./require-same-origin.ts";

const shape = z.object({ email: newEmailField, password: newPasswordField });

/** Submits the sign-up form: signs in and redirects to the page in `next`, or returns the errors. */
export async function signUp(_previous: FormState, form: FormData): Promise<FormState> {
  await requireSameOrigin();
  if (!isSignUpOpen)
    return { errors: { form: "Sign-up is closed. Ask the operator for an account." } };
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const { fields } = parsed;
  const values = { email: fields.email };
  try {
    if (!(await createAccount(fields, await currentCaller()))) {
      const email = "This email address cannot be used for a new account. If it is yours, sign in.";
      return { errors: { email }, values };
    }
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    return { errors: { form: signInErrorMessage(error.message) ?? "" }, values };
  }
  // The account exists now. If the sign-in fails (most likely a limit), the sign-in page says why.
  const error = await signInByPassword(fields);
  redirect(error ? `/sign-in?error=${error}` : safeRedirectPath(form.get("next")));
}
