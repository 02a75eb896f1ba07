import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ConfirmEmailBanner } from "#components/dashboard/confirm-email-banner.tsx";
import { Shell } from "#components/dashboard/shell.tsx";
import { SignOutButton } from "#components/dashboard/sign-out-button.tsx";
import { AlertBanner } from "#components/usage/alert-banner.tsx";
import { sendConfirmationAgain } from "#lib/auth/actions/email-confirmation.ts";
import { isEmailUnconfirmed } from "#lib/auth/emails/email-confirmation.ts";
import { requireAccount } from "#lib/auth/session.ts";
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
  return (
    <Shell email={email} plan={plan} isOperator={role === "operator"} signOut={<SignOutButton />}>
      {isEmailUnconfirmed(account) && (
        <ConfirmEmailBanner email={email} send={sendConfirmationAgain} />
      )}
      {alert && <AlertBanner alert={alert} now={now} dismiss={dismissAlert} />}
      {children}
    </Shell>
  );
}
