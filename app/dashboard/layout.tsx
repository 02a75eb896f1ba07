import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ConfirmEmailBanner } from "#components/dashboard/confirm-email-banner.tsx";
import { Shell } from "#components/dashboard/shell.tsx";
import { SignOutButton } from "#components/dashboard/sign-out-button.tsx";
import { RunnersMissing } from "#components/status/runners-missing.tsx";
import { AlertBanner } from "#components/usage/alert-banner.tsx";
import { sendConfirmationAgain } from "#lib/auth/actions/email-confirmation.ts";
import { isEmailUnconfirmed } from "#lib/auth/emails/email-confirmation.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { readRunnersStatus } from "#lib/jobs/status/runners-status.ts";
import { readShownAlert } from "#lib/quotas/usage-alerts.ts";
import { dismissAlert } from "./usage/actions.ts";

export const metadata: Metadata = {
  title: { default: "Dashboard", template: "%s · Mediamill" },
  robots: { index: false },
};

/** Each page also calls `requireAccount`, because a layout is not rendered again on navigation. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const account = await requireAccount();
  const { email, plan, role } = account;
  const now = new Date();
  const alert = await readShownAlert(account, now);
  const runners = role === "operator" ? await readRunnersStatus() : undefined;
  return (
    <Shell email={email} plan={plan} isOperator={role === "operator"} signOut={<SignOutButton />}>
      {isEmailUnconfirmed(account) && (
        <ConfirmEmailBanner email={email} send={sendConfirmationAgain} />
      )}
      {runners?.state === "missing" && (
        <RunnersMissing since={runners.missing_since} now={now.toISOString()} className="mb-6" />
      )}
      {alert && <AlertBanner alert={alert} now={now} dismiss={dismissAlert} />}
      {children}
    </Shell>
  );
}
