import { ScrollTextIcon } from "lucide-react";
import Link from "next/link";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { ActValues, OperatorAct } from "#lib/db/schema/operator/operator-acts.ts";

/** What operators did, newest first. */
export function ActList({ acts }: { acts: readonly OperatorAct[] }) {
  const now = new Date().toISOString();
  const time = ({ createdAt }: OperatorAct) => <TimeAgo time={createdAt.toISOString()} now={now} />;
  const columns: readonly Column<OperatorAct>[] = [
    { header: "Time", className: "whitespace-nowrap text-muted-foreground", cell: time },
    { header: "Action", className: "font-mono text-xs", cell: ({ action }) => action },
    { header: "Operator", className: "max-w-48 truncate", cell: ({ actor }) => actor },
    { header: "Account", className: "max-w-48 truncate", cell: (act) => <ActAccount act={act} /> },
    { header: "Change", className: "wrap-anywhere", cell: (act) => <Change act={act} /> },
    {
      header: "Address",
      className: "max-w-36 truncate font-mono text-xs text-muted-foreground",
      cell: ({ address }) => address ?? "–",
    },
  ];
  return (
    <DataTable
      label="Audit log"
      columns={columns}
      rows={acts}
      empty={
        <EmptyState icon={ScrollTextIcon} title="No actions yet">
          Every change that an operator makes here or with the admin command is listed.
        </EmptyState>
      }
      card={(act) => (
        <>
          <p className="flex items-center justify-between gap-3">
            <span className="font-mono text-xs">{act.action}</span>
            <span className="text-muted-foreground">{time(act)}</span>
          </p>
          <p className="min-w-0 truncate">
            <ActAccount act={act} />
          </p>
          <p className="min-w-0 wrap-anywhere">
            <Change act={act} />
          </p>
          <p className="wrap-anywhere text-muted-foreground">
            {act.actor}
            {act.address && ` · ${act.address}`}
          </p>
        </>
      )}
    />
  );
}

function ActAccount({ act: { accountId, accountEmail } }: { act: OperatorAct }) {
  if (!accountId) return "–";
  return (
    <Link href={`/dashboard/operator/accounts/${accountId}`} className="hover:underline">
      {accountEmail}
    </Link>
  );
}

function Change({ act: { subjectId, before, after } }: { act: OperatorAct }) {
  const from = format(before);
  const to = format(after);
  return (
    <>
      {subjectId && <span className="font-mono text-xs">{subjectId} </span>}
      {from && to ? `${from} → ${to}` : (from ?? to ?? (subjectId ? "" : "–"))}
    </>
  );
}

function format(values: ActValues | null): string | undefined {
  if (!values) return undefined;
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
