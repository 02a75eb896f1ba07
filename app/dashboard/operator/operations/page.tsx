import { ActivityIcon } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { formatDuration } from "#components/format.ts";
import { OperatorHeader } from "#components/operator/operator-header.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { requireOperator } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import {
  listOperationErrors,
  listOperationStats,
  maxReadJobs,
  type OperationErrors,
  type OperationStats,
} from "#lib/db/queries/operator/operations.ts";
import { readText } from "../read-text.ts";

export const metadata: Metadata = { title: "Operations" };

interface OperationsPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const periods = [
  { name: "24h", hours: 24, label: "Last 24 hours" },
  { name: "7d", hours: 168, label: "Last 7 days" },
] as const;

export default async function OperationsPage({ searchParams }: OperationsPageProps) {
  await requireOperator();
  const given = readText((await searchParams).period);
  const period = periods.find(({ name }) => name === given) ?? periods[0];
  const [stats, errors] = await Promise.all([
    listOperationStats(db(), period.hours),
    listOperationErrors(db(), period.hours),
  ]);
  const total = stats.reduce((sum, { jobs }) => sum + jobs, 0);
  const all = `${total.toLocaleString("en")} jobs`;
  return (
    <>
      <OperatorHeader
        title="Operations"
        description={`${total >= maxReadJobs ? `The newest ${all}` : all} of all accounts: those that fail most often first, then the slowest.`}
      />
      <nav aria-label="Period" className="mb-4 flex gap-2">
        {periods.map(({ name, label }) => (
          <Button
            key={name}
            asChild
            size="sm"
            variant={name === period.name ? "default" : "outline"}
          >
            <Link
              href={`/dashboard/operator/operations?period=${name}`}
              aria-current={name === period.name ? "page" : undefined}
            >
              {label}
            </Link>
          </Button>
        ))}
      </nav>
      <Card aria-label="Operations" className="overflow-hidden">
        <DataTable
          label="Operations"
          columns={columnsFor(errors)}
          rows={stats.map((row) => ({ ...row, id: row.operation }))}
          empty={
            <EmptyState icon={ActivityIcon} title="No jobs">
              No account has run a job in this period.
            </EmptyState>
          }
          card={(row) => (
            <>
              <p className="flex justify-between gap-3">
                <span className="truncate font-medium">{row.operation}</span>
                <span className="shrink-0">{formatRate(row)} failed</span>
              </p>
              <p className="text-muted-foreground tabular-nums">
                {row.jobs.toLocaleString("en")} {row.jobs === 1 ? "job" : "jobs"}, p50{" "}
                {formatMs(row.p50Ms)}, p95 {formatMs(row.p95Ms)}
              </p>
              <Codes errors={errors} operation={row.operation} />
            </>
          )}
        />
      </Card>
    </>
  );
}

type Row = OperationStats & { readonly id: string };

function columnsFor(errors: readonly OperationErrors[]): readonly Column<Row>[] {
  const number = { align: "right", className: "whitespace-nowrap tabular-nums" } as const;
  return [
    { header: "Operation", cell: ({ operation }) => operation },
    { header: "Jobs", ...number, cell: ({ jobs }) => jobs.toLocaleString("en") },
    { header: "Failed", ...number, cell: formatRate },
    { header: "p50", ...number, cell: ({ p50Ms }) => formatMs(p50Ms) },
    { header: "p95", ...number, cell: ({ p95Ms }) => formatMs(p95Ms) },
    {
      header: "Errors by code",
      className: "wrap-anywhere",
      cell: ({ operation }) => <Codes errors={errors} operation={operation} />,
    },
  ];
}

function Codes({ errors, operation }: { errors: readonly OperationErrors[]; operation: string }) {
  const own = errors.filter((error) => error.operation === operation);
  if (own.length === 0) return null;
  const text = own.map(({ code, jobs }) => `${code} ${jobs.toLocaleString("en")}`).join(", ");
  return <span className="font-mono text-xs">{text}</span>;
}

function formatRate({ failed, failureRate }: OperationStats): string {
  if (failed === 0) return "0%";
  return `${Math.max(0.1, failureRate * 100).toFixed(failureRate < 0.1 ? 1 : 0)}%`;
}

function formatMs(ms: number | null): string {
  return ms === null ? "–" : formatDuration(ms);
}
