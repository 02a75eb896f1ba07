import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Shell } from "#components/dashboard/shell.tsx";
import { SignOutButton } from "#components/dashboard/sign-out-button.tsx";
import { requireAccount } from "#lib/auth/session.ts";

export const metadata: Metadata = {
  title: { default: "Dashboard", template: "%s · Mediamill" },
  robots: { index: false },
};

/** Each page also calls `requireAccount`, because a layout is not rendered again on navigation. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { email, plan, role } = await requireAccount();
  return (
    <Shell email={email} plan={plan} isOperator={role === "operator"} signOut={<SignOutButton />}>
      {children}
    </Shell>
  );
}
