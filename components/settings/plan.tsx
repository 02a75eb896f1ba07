import Link from "next/link";
import { PlanTable } from "#components/plans/plan-table.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import type { SessionAccount } from "#lib/auth/session.ts";

/** The account's plan compared with the others, and how to change it. */
export function PlanSettings({ account }: { account: SessionAccount }) {
  return (
    <Card aria-labelledby="plan">
      <CardHeader>
        <div>
          <CardTitle id="plan">Plan and limits</CardTitle>
          <CardDescription>
            This account is on{" "}
            <strong className="text-foreground capitalize">{account.plan}</strong>. Usage is counted
            per calendar month (UTC). 1 GB is 10⁹ bytes.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="grid grid-cols-1 gap-4">
        <PlanTable current={account.plan} />
        <div className="rounded-lg border bg-background p-4 text-sm">
          <p className="font-medium">Change your plan</p>
          {account.role === "operator" ? (
            <p className="mt-1 text-muted-foreground">
              As the operator of this service, you change the plan of{" "}
              <ConsoleLink href={`/dashboard/operator/accounts/${account.id}`}>
                this account
              </ConsoleLink>{" "}
              and of{" "}
              <ConsoleLink href="/dashboard/operator#new-account-plan">new accounts</ConsoleLink> in
              the console.
            </p>
          ) : (
            <p className="mt-1 text-muted-foreground">
              Ask the operator of this service. Name the email address of your account and the plan.
            </p>
          )}
        </div>
      </CardContent>
    </Card>
  );
}

function ConsoleLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} prefetch={false} className="text-brand underline underline-offset-4">
      {children}
    </Link>
  );
}
