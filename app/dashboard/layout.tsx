import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Shell } from "#components/dashboard/shell.tsx";
import { SignOutButton } from "#components/dashboard/sign-out-button.tsx";
import { requireAccount } from "#lib/auth/session.ts";

export const metadata: Metadata = {
  title: { default: "Dashboard", template: "%s · Mediamill" },
  robots: { index: false },
};

/** Of every page of the dashboard. Each page asks for the account itself too: a layout is not made anew when the page changes. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { email, plan } = await requireAccount();
  return (
    <Shell email={email} plan={plan} signOut={<SignOutButton />}>
      {children}
    </Shell>
  );
}
