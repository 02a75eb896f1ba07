"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { emailField, type FormState, parseForm, passwordField } from "../next-auth/credentials.ts";
import { signInByPassword, startProviderSignIn } from "../next-auth/next-auth-requests.ts";
import { isProvider } from "../next-auth/providers.ts";
import { safeRedirectPath } from "../origin.ts";
import { signInErrorMessage } from "../sign-in-errors.ts";
import { requireSameOrigin } from "./require-same-origin.ts";

const shape = z.object({ email: emailField, password: passwordField });

/** Submits the sign-in form: redirects to the page in `next`, or returns the errors. */
export async function signIn(_previous: FormState, form: FormData): Promise<FormState> {
  await requireSameOrigin();
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const error = await signInByPassword(parsed.fields);
  if (error) {
    const values = { email: parsed.fields.email };
    return { errors: { form: signInErrorMessage(error) ?? "" }, values };
  }
  redirect(safeRedirectPath(form.get("next")));
}

/** Submits a provider's sign-in button: redirects to the provider's page. */
export async function signInWithProvider(form: FormData): Promise<void> {
  await requireSameOrigin();
  const provider = form.get("provider");
  if (!isProvider(provider)) redirect("/sign-in");
  redirect(await startProviderSignIn(provider, safeRedirectPath(form.get("next"))));
}
