import type { ReactNode } from "react";
import { cn } from "#components/class-names.ts";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "./table.tsx";

export interface Column<Row> {
  readonly header: string;
  /** Screen readers read the header, but it is not visible. */
  readonly hiddenHeader?: boolean;
  /** What is shown as the header, such as a checkbox for all rows. */
  readonly headerCell?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** The smallest breakpoint at which the column is visible. Default: always visible. */
  readonly from?: "sm" | "md";
  readonly align?: "left" | "right";
  /** Classes of the cell. */
  readonly className?: string;
}

interface DataTableProps<Row> {
  /** The table's accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown instead of the table when there are no rows. */
  readonly empty: ReactNode;
  /** Renders a row for narrow pages. Default: a table of the always visible columns. */
  readonly card?: (row: Row) => ReactNode;
  /** For live rows: screen readers read it when it changes, such as "image/sharpen completed". */
  readonly announcement?: string;
}

/** Columns and rows as a table. Works in Server and Client Components. */
export function DataTable<Row extends { readonly id: string }>({
  empty,
  card,
  announcement,
  ...table
}: DataTableProps<Row>) {
  const { label, rows } = table;
  return (
    <>
      {announcement !== undefined && (
        <p role="status" className="sr-only">
          {announcement}
        </p>
      )}
      {rows.length === 0 && empty}
      {rows.length > 0 && !card && <Rows {...table} />}
      {rows.length > 0 && card && (
        <>
          <div className="hidden md:block">
            <Rows {...table} />
          </div>
          <ul aria-label={label} className="divide-y md:hidden">
            {rows.map((row) => (
              <li key={row.id} data-row="" className={cn("grid gap-2 p-4 text-sm", rowClasses)}>
                {card(row)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** A row with a `RowLink` is clickable. */
const rowClasses = "has-[[data-row-link]]:cursor-pointer";

const visibleFrom = { sm: "hidden sm:table-cell", md: "hidden md:table-cell" } as const;

type RowsProps<Row> = Pick<DataTableProps<Row>, "label" | "columns" | "rows">;

function Rows<Row extends { readonly id: string }>({ label, columns, rows }: RowsProps<Row>) {
  const last = columns.length - 1;
  const columnClasses = columns.map(({ from, align }, index) =>
    cn(
      from && visibleFrom[from],
      align === "right" && "text-right",
      index === 0 && "pl-5",
      index === last && "pr-5",
    ),
  );
  return (
    <Table aria-label={label}>
      <TableHeader>
        <TableRow>
          {columns.map(({ header, hiddenHeader, headerCell }, index) => (
            <TableHead key={header} className={columnClasses[index]}>
              {headerCell ?? (hiddenHeader ? <span className="sr-only">{header}</span> : header)}
            </TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {rows.map((row) => (
          <TableRow key={row.id} data-row="" className={rowClasses}>
            {columns.map(({ header, cell, className }, index) => (
              <TableCell key={header} className={cn(columnClasses[index], className)}>
                {cell(row)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
