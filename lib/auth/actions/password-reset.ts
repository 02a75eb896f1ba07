"use server";

import { redirect } from "next/navigation";
import { after } from "next/server";
import { z } from "zod";
import { log } from "#lib/log.ts";
import { currentCaller } from "../caller.ts";
import { choicePasswordField, emailField, type FormState, parseForm } from "../credentials.ts";
import { canSendMail, resetPassword, sendPasswordReset } from "../password-reset.ts";
import { describeSignInError } from "../sign-in-errors.ts";
import { fromAddress, TooManyAttemptsError, takeAttempts } from "../sign-in-limits.ts";
import { requireOwnPage } from "./own-page.ts";

const requestShape = z.object({ email: emailField });
const resetShape = z.object({ token: z.string().max(100), password: choicePasswordField });

/** Sends a link to a new password; says the same whether or not there is such an account. */
export async function requestPasswordReset(
  _previous: FormState,
  form: FormData,
): Promise<FormState> {
  await requireOwnPage();
  if (!canSendMail) return { errors: { form: "This service sends no e-mail; ask its operator." } };
  const parsed = parseForm(requestShape, form);
  if ("state" in parsed) return parsed.state;
  const { email } = parsed.fields;
  const { address } = await currentCaller();
  try {
    await takeAttempts([...fromAddress("resetAddress", address), { kind: "reset", of: email }]);
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    return { errors: { form: describeSignInError(error.message) ?? "" }, values: { email } };
  }
  // Afterwards, so that the answer takes no longer where there is an account.
  after(() =>
    sendPasswordReset(email).catch((err) => log.error({ err }, "an e-mail was not sent")),
  );
  return {
    notice: "If there is an account with that address, an e-mail with a link is on its way.",
  };
}

/** Replaces a forgotten password by way of the link that was sent. */
export async function setForgottenPassword(
  _previous: FormState,
  form: FormData,
): Promise<FormState> {
  await requireOwnPage();
  const parsed = parseForm(resetShape, form);
  if ("state" in parsed) return parsed.state;
  const { token, password } = parsed.fields;
  if (await resetPassword(token, password)) redirect("/sign-in?notice=password-set");
  return { errors: { form: "This link does not work any more. Ask for another one." } };
}
