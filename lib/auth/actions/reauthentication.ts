"use server";

import { redirect } from "next/navigation";
import type { FormState } from "../next-auth/credentials.ts";
import { isProvider } from "../next-auth/providers.ts";
import { safeRedirectPath } from "../origin.ts";
import {
  confirmIdentity,
  type ReauthenticationMethod,
  readReauthenticationMethod,
  sendCode,
} from "../reauthentication/reauthenticate.ts";
import { requireAccount } from "../session.ts";

/** What the dialog asks for. */
export interface ReauthenticationQuestion {
  readonly method: ReauthenticationMethod;
  readonly email: string;
  /** The ids of the providers that the account signs in with. */
  readonly providers: readonly string[];
  /** Why no code was sent. */
  readonly error?: string;
}

/** How the user shows who they are. Sends the code if it is one. */
export async function startReauthentication(): Promise<ReauthenticationQuestion> {
  const account = await requireAccount();
  const { method, providers } = await readReauthenticationMethod(account);
  const error = method === "code" ? await sendCode(account) : undefined;
  const { email } = account;
  const configured = providers.filter(isProvider);
  return { method, email, providers: configured, ...(error === undefined ? {} : { error }) };
}

/** Sends another code. */
export async function sendCodeAgain(): Promise<FormState> {
  const { error, email } = await startReauthentication();
  if (error !== undefined) return { errors: { form: error } };
  return { notice: `We have sent a code to ${email}.` };
}

/** Submits the password or the code. Redirects to the page in `next`, if the form has one. */
export async function submitReauthentication(
  _previous: FormState,
  form: FormData,
): Promise<FormState> {
  const account = await requireAccount();
  const rejection = await confirmIdentity(account, String(form.get("current") ?? "").slice(0, 200));
  if (rejection) return rejection;
  if (form.has("next")) redirect(safeRedirectPath(form.get("next")));
  return { notice: "Thank you. You can go on." };
}
