import { UsersIcon } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { AccountSummary } from "#lib/db/queries/operator/accounts.ts";

/** Accounts, with a link to the page of each. */
export function AccountTable({ accounts }: { accounts: readonly AccountSummary[] }) {
  const now = new Date().toISOString();
  const active = ({ lastActiveAt }: AccountSummary) =>
    lastActiveAt ? <TimeAgo time={lastActiveAt.toISOString()} now={now} /> : "Never";
  const columns: readonly Column<AccountSummary>[] = [
    {
      header: "Account",
      className: "w-full max-w-0",
      cell: (account) => <AccountName account={account} />,
    },
    { header: "Plan", className: "capitalize", cell: ({ plan }) => plan },
    {
      header: "Signed up",
      cell: ({ createdAt }) => <TimeAgo time={createdAt.toISOString()} now={now} />,
    },
    {
      header: "Jobs, 30 days",
      align: "right",
      className: "tabular-nums",
      cell: ({ recentJobs }) => recentJobs.toLocaleString("en"),
    },
    { header: "Last active", className: "whitespace-nowrap", cell: active },
  ];
  return (
    <DataTable
      label="Accounts"
      columns={columns}
      rows={accounts}
      empty={
        <EmptyState icon={UsersIcon} title="No account matches">
          Search for a part of the email address, or for the complete account ID.
        </EmptyState>
      }
      card={(account) => (
        <>
          <AccountName account={account} />
          <p className="flex flex-wrap justify-between gap-x-3 text-muted-foreground">
            <span className="capitalize">{account.plan}</span>
            <span>
              {account.recentJobs.toLocaleString("en")} {account.recentJobs === 1 ? "job" : "jobs"}{" "}
              in 30 days
            </span>
            <span>Active: {active(account)}</span>
          </p>
        </>
      )}
    />
  );
}

function AccountName({ account: { id, email, role, suspendedAt } }: { account: AccountSummary }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <RowLink
        href={`/dashboard/operator/accounts/${id}`}
        title={email}
        className="truncate font-medium hover:underline"
      >
        {email}
      </RowLink>
      {role === "operator" && <Badge variant="info">Operator</Badge>}
      {suspendedAt && <Badge variant="destructive">Suspended</Badge>}
    </span>
  );
}
