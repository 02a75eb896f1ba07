import { DownloadIcon } from "lucide-react";
import type { ReactNode } from "react";
import { formatBytes, formatDuration } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import type { DayRange, UsageDimension } from "#lib/db/queries/usage/usage-groups.ts";
import type { ReportGroup } from "#lib/quotas/usage-report.ts";

interface GroupTableProps {
  /** What a row is: `Operation`. */
  readonly header: string;
  readonly dimension: UsageDimension;
  readonly groups: readonly ReportGroup[];
  /** What a group is called. Default: its `group`. */
  readonly nameOf?: (group: ReportGroup) => ReactNode;
  /** The jobs of a group; undefined if the job list has no filter for it. */
  readonly hrefOf: (group: ReportGroup) => string | undefined;
  readonly empty: ReactNode;
}

type Row = ReportGroup & { readonly id: string };

/** Groups of jobs as a table. A row opens its jobs. */
export function GroupTable(props: GroupTableProps) {
  const { header, dimension, groups, nameOf = ({ group }) => group, hrefOf, empty } = props;
  const ofErrors = dimension === "error_code";
  const number = "whitespace-nowrap tabular-nums";
  const columns: Column<Row>[] = [
    {
      header,
      className: "max-w-44 truncate font-medium sm:max-w-none",
      cell: (row) => {
        const href = hrefOf(row);
        if (href === undefined) return nameOf(row);
        return (
          <RowLink href={href} className="hover:underline">
            {nameOf(row)}
          </RowLink>
        );
      },
    },
    count("Jobs", ({ jobs }) => jobs),
    ...(ofErrors
      ? []
      : [
          { ...count("Completed", (row) => row.completed), from: "md" as const },
          { ...count("Failed", (row) => row.failed), from: "sm" as const },
          { ...count("Cancelled", (row) => row.cancelled), from: "md" as const },
          {
            header: "Input",
            from: "sm" as const,
            align: "right" as const,
            className: number,
            cell: ({ usedBytes }: Row) => formatBytes(usedBytes),
          },
        ]),
    duration("Median", ({ p50Ms }) => p50Ms),
    duration("p95", ({ p95Ms }) => p95Ms),
  ];
  const rows = groups.map((group) => ({ ...group, id: group.group }));
  return (
    <DataTable
      label={`Usage by ${header.toLowerCase()}`}
      columns={columns}
      rows={rows}
      empty={empty}
    />
  );

  function count(name: string, read: (row: Row) => number): Column<Row> {
    const cell = (row: Row) => read(row).toLocaleString("en");
    return { header: name, align: "right", className: number, cell };
  }

  function duration(name: string, read: (row: Row) => number | undefined): Column<Row> {
    const cell = (row: Row) => {
      const ms = read(row);
      return ms === undefined ? "–" : formatDuration(ms);
    };
    return { header: name, align: "right", className: number, cell };
  }
}

/** A card with the table and a download of its groups. */
export function GroupCard({ range, ...table }: GroupTableProps & { readonly range: DayRange }) {
  const { header, dimension } = table;
  return (
    <Card aria-label={`By ${header.toLowerCase()}`} className="overflow-hidden">
      <CardHeader className="items-center pb-3">
        <CardTitle>By {header === "API key" ? header : header.toLowerCase()}</CardTitle>
        <CsvButton range={range} dimension={dimension} />
      </CardHeader>
      <GroupTable {...table} />
    </Card>
  );
}

/** Downloads the groups as a CSV file. */
export function CsvButton({ range, dimension }: { range: DayRange; dimension: UsageDimension }) {
  const query = new URLSearchParams({
    group_by: dimension,
    created_after: `${range.first}T00:00:00Z`,
    created_before: `${range.end}T00:00:00Z`,
  });
  return (
    <Button asChild variant="outline" size="sm">
      <a href={`/dashboard/api/usage/export?${query}`} download>
        <DownloadIcon /> CSV
        <span className="sr-only">, usage by {dimension.replace("_", " ")}</span>
      </a>
    </Button>
  );
}
