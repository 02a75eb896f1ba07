import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AccountForms } from "#components/operator/account-forms.tsx";
import { AccountKeys } from "#components/operator/account-keys.tsx";
import { ActList } from "#components/operator/act-list.tsx";
import { Figures } from "#components/operator/figures.tsx";
import { OperatorHeader } from "#components/operator/operator-header.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { requireOperator } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { listApiKeys } from "#lib/db/queries/accounts/api-keys.ts";
import { findAccountSummary } from "#lib/db/queries/operator/accounts.ts";
import { listOperatorActs } from "#lib/db/queries/operator/acts.ts";
import { isId } from "#lib/ids.ts";
import * as actions from "../../actions.ts";

export const metadata: Metadata = { title: "Account" };

export default async function AccountPage({ params }: { params: Promise<{ id: string }> }) {
  const operator = await requireOperator();
  const { id } = await params;
  const account = isId(id) ? await findAccountSummary(db(), id) : undefined;
  if (!account) notFound();
  const [keys, acts] = await Promise.all([
    listApiKeys(db(), id),
    listOperatorActs(db(), { accountId: id, limit: 20 }),
  ]);
  const now = new Date().toISOString();
  const { email, plan, recentJobs, createdAt, lastActiveAt } = account;
  return (
    <>
      <OperatorHeader title={email} description={id} />
      <div className="grid grid-cols-1 gap-6">
        <Figures
          figures={[
            [
              "Plan",
              <span key="plan" className="capitalize">
                {plan}
              </span>,
            ],
            ["Jobs in 30 days", recentJobs.toLocaleString("en")],
            ["Signed up", <TimeAgo key="created" time={createdAt.toISOString()} now={now} />],
            [
              "Last active",
              lastActiveAt ? (
                <TimeAgo key="active" time={lastActiveAt.toISOString()} now={now} />
              ) : (
                "Never"
              ),
            ],
          ]}
        />
        <AccountForms account={account} isOwn={operator.id === id} actions={actions} />
        <AccountKeys account={account} keys={keys} actions={actions} />
        <Card aria-labelledby="acts" className="overflow-hidden">
          <CardHeader>
            <CardTitle id="acts">Audit log of this account</CardTitle>
          </CardHeader>
          <CardContent className="px-0 pb-0">
            <ActList acts={acts} />
          </CardContent>
        </Card>
      </div>
    </>
  );
}
