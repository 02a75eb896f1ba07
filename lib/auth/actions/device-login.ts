"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { maxActiveKeys } from "../api-keys.ts";
import { decideDeviceLogin } from "../device-login.ts";
import { isEmailUnconfirmed, unconfirmedMessage } from "../emails/email-confirmation.ts";
import { type FormState, parseForm } from "../next-auth/credentials.ts";
import { requireRecentAuthentication } from "../reauthentication/reauthenticate.ts";
import { requireAccount } from "../session.ts";
import { tryAttempt } from "../sign-in-limits.ts";

const shape = z.object({ code: z.string().trim().min(1, "Enter the code.").max(20) });

/** Leads to the device with the code that was entered. */
export async function enterUserCode(_previous: FormState, form: FormData): Promise<FormState> {
  await requireAccount();
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  redirect(`/device?code=${encodeURIComponent(parsed.fields.code)}`);
}

/** Gives the device a key of the current account. */
export async function approveDevice(_previous: FormState, form: FormData): Promise<FormState> {
  return decide(form, "approved");
}

/** Refuses the device. */
export async function refuseDevice(_previous: FormState, form: FormData): Promise<FormState> {
  return decide(form, "refused");
}

async function decide(form: FormData, status: "approved" | "refused"): Promise<FormState> {
  const account = await requireAccount();
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  if (status === "approved" && isEmailUnconfirmed(account)) {
    return { errors: { form: unconfirmedMessage } };
  }
  if (status === "approved") {
    const needed = await requireRecentAuthentication(account);
    if (needed) return needed;
  }
  const limited = await tryAttempt({ kind: "userCode", subject: account.id });
  if (limited) return { errors: { form: limited } };
  const result = await decideDeviceLogin(parsed.fields.code, account.id, status);
  if (result === "too many keys") {
    const message = `An account has at most ${maxActiveKeys} valid keys. Revoke one first.`;
    return { errors: { form: message } };
  }
  if (result === "invalid") {
    const message =
      status === "approved"
        ? "This code is no longer valid. Run mediamill login again."
        : "This code is no longer valid, so nothing was refused. If you have approved it before, the device has a key: revoke it under API keys.";
    return { errors: { form: message } };
  }
  revalidatePath("/dashboard", "layout");
  redirect(`/device?done=${status}`);
}
