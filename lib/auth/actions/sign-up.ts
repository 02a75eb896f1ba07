"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { currentCaller } from "../caller.ts";
import { choicePasswordField, type FormState, newEmailField, parseForm } from "../credentials.ts";
import { ownPath } from "../origin.ts";
import { describeSignInError } from "../sign-in-errors.ts";
import { TooManyAttemptsError } from "../sign-in-limits.ts";
import { isSignUpOpen, signUp as makeAccount } from "../sign-up.ts";
import { signInByPassword } from "../through-next-auth.ts";
import { requireOwnPage } from "./own-page.ts";

const shape = z.object({ email: newEmailField, password: choicePasswordField });

/** The sign-up form: signed in and on to the page in `next`, or back with what is wrong. */
export async function signUp(_previous: FormState, form: FormData): Promise<FormState> {
  await requireOwnPage();
  if (!isSignUpOpen) return { errors: { form: "New accounts are created by the operator." } };
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const { fields } = parsed;
  const values = { email: fields.email };
  try {
    if (!(await makeAccount(fields, await currentCaller()))) {
      const email = "This address cannot have a new account. If it is yours, sign in.";
      return { errors: { email }, values };
    }
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    return { errors: { form: describeSignInError(error.message) ?? "" }, values };
  }
  // Whatever kept it from signing in now (a limit, most likely), the sign-in page can say.
  const error = await signInByPassword(fields);
  redirect(error ? `/sign-in?error=${error}` : ownPath(form.get("next")));
}
