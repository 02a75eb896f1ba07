"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { after } from "next/server";
import { z } from "zod";
import { log } from "#lib/log.ts";
import { currentCaller } from "../caller.ts";
import { browserCookie, createBrowserToken } from "../cookies/known-browser.ts";
import { sendPasswordChanged } from "../emails/password-changed.ts";
import {
  emailField,
  type FormState,
  newPasswordField,
  parseForm,
} from "../next-auth/credentials.ts";
import { keepNextPage, takeNextPage } from "../next-page.ts";
import { canSendMail, resetPassword, sendPasswordReset } from "../password-reset.ts";
import { signInErrorMessage } from "../sign-in-errors.ts";
import { attemptsFromAddress, consumeAttempts, TooManyAttemptsError } from "../sign-in-limits.ts";
import { requireSameOrigin } from "./require-same-origin.ts";

const requestShape = z.object({ email: emailField });
const resetShape = z.object({ token: z.string().max(100), password: newPasswordField });

/** Sends a password reset link. The response is the same whether or not the account exists. */
export async function requestPasswordReset(
  _previous: FormState,
  form: FormData,
): Promise<FormState> {
  await requireSameOrigin();
  if (!canSendMail) return { errors: { form: "This service sends no email. Ask its operator." } };
  const parsed = parseForm(requestShape, form);
  if ("state" in parsed) return parsed.state;
  const { email } = parsed.fields;
  const { address } = await currentCaller();
  try {
    await consumeAttempts([
      ...attemptsFromAddress("resetAddress", address),
      { kind: "reset", subject: email },
    ]);
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    return { errors: { form: signInErrorMessage(error.message) ?? "" }, values: { email } };
  }
  // Without one, such as from a link in an email, the page that was kept at sign-up stays.
  const next = form.get("next");
  if (next !== null) await keepNextPage(next);
  // After the response, so that its time does not reveal whether the account exists.
  after(() =>
    sendPasswordReset(email).catch((err) => log.error({ err }, "password reset email failed")),
  );
  return {
    notice: "If there is an account with that address, you will receive an email with a link.",
  };
}

/** Replaces a forgotten password, authorized by the token of a reset link. */
export async function setForgottenPassword(
  _previous: FormState,
  form: FormData,
): Promise<FormState> {
  await requireSameOrigin();
  const parsed = parseForm(resetShape, form);
  if ("state" in parsed) return parsed.state;
  const { token, password } = parsed.fields;
  const reset = await resetPassword(token, password);
  if (!reset) return { errors: { form: "This link is no longer valid. Request another one." } };
  // Wrong passwords of others cannot keep out the person who reads the account's mail.
  const value = createBrowserToken(reset.accountId);
  (await cookies()).set({ name: browserCookie.name, value, ...browserCookie.options });
  after(() => sendPasswordChanged(reset.accountId, reset.change));
  redirect(`/sign-in?notice=password-set&next=${encodeURIComponent(await takeNextPage())}`);
}
