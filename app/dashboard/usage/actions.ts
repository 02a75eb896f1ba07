"use server";

import { revalidatePath } from "next/cache";
import type { FormState } from "#lib/auth/next-auth/credentials.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { dismissAlerts, setAlertThresholds } from "#lib/db/queries/usage/usage-alerts.ts";
import { alertThresholds } from "#lib/quotas/thresholds.ts";

/** Dismisses the banner of a threshold. */
export async function dismissAlert(form: FormData): Promise<void> {
  const { id: accountId } = await requireAccount();
  const threshold = alertThresholds.find((one) => String(one) === form.get("threshold"));
  if (threshold === undefined) return;
  await dismissAlerts(db(), { accountId, period: String(form.get("period")), threshold });
  revalidatePath("/dashboard", "layout");
}

/** Saves the thresholds at which the account gets an alert. */
export async function saveAlerts(_previous: FormState, form: FormData): Promise<FormState> {
  const { id } = await requireAccount();
  const chosen = form.getAll("threshold");
  const thresholds = alertThresholds.filter((threshold) => chosen.includes(String(threshold)));
  await setAlertThresholds(db(), id, thresholds);
  revalidatePath("/dashboard", "layout");
  return { notice: thresholds.length > 0 ? "Alerts saved." : "All alerts are off." };
}
