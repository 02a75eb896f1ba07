import { PlanTable } from "#components/plans/plan-table.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import type { SignedInAccount } from "#lib/auth/session.ts";
import { planNames } from "#lib/plans.ts";

/** The account's plan beside the others, and how to get another one. */
export function PlanSettings({ account }: { account: SignedInAccount }) {
  const other = planNames[planNames.indexOf(account.plan) + 1] ?? "pro";
  return (
    <Card aria-labelledby="plan">
      <CardHeader>
        <div>
          <CardTitle id="plan">Plan and limits</CardTitle>
          <CardDescription>
            This account is on{" "}
            <strong className="text-foreground capitalize">{account.plan}</strong>. A month is the
            calendar month, UTC; 1 GB is 10⁹ bytes.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="grid grid-cols-1 gap-4">
        <PlanTable current={account.plan} />
        <div className="rounded-lg border bg-background p-4 text-sm">
          <p className="font-medium">Another plan?</p>
          <p className="mt-1 text-muted-foreground">
            The operator of this service changes plans. Ask them, and name your e-mail address; this
            is all they have to run:
          </p>
          <pre className="mt-3 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">
            npm run admin -- account set-plan --email {account.email} --plan {other}
          </pre>
        </div>
      </CardContent>
    </Card>
  );
}
