"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { emailField, type FormState, parseForm, passwordField } from "../credentials.ts";
import { ownPath } from "../origin.ts";
import { isProvider } from "../providers.ts";
import { describeSignInError } from "../sign-in-errors.ts";
import { signInByPassword, startAtProvider } from "../through-next-auth.ts";
import { requireOwnPage } from "./own-page.ts";

const shape = z.object({ email: emailField, password: passwordField });

/** The sign-in form: on to the page in `next`, or back with what is wrong. */
export async function signIn(_previous: FormState, form: FormData): Promise<FormState> {
  await requireOwnPage();
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const error = await signInByPassword(parsed.fields);
  if (error) {
    const values = { email: parsed.fields.email };
    return { errors: { form: describeSignInError(error) ?? "" }, values };
  }
  redirect(ownPath(form.get("next")));
}

/** The button of a sign-in provider: on to its own page. */
export async function continueAtProvider(form: FormData): Promise<void> {
  await requireOwnPage();
  const provider = form.get("provider");
  if (!isProvider(provider)) redirect("/sign-in");
  redirect(await startAtProvider(provider, ownPath(form.get("next"))));
}
