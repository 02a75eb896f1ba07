import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "#components/ui/table.tsx";
import { describeLimits, type LimitRow } from "#lib/limits/limits.ts";

/** What a single file may be, from the table that the engines read. */
export function CapsTable() {
  return (
    <div className="rounded-lg border bg-card">
      <Table aria-label="What a single file may be">
        <TableHeader>
          <TableRow>
            <TableHead>What</TableHead>
            <TableHead>At most</TableHead>
            <TableHead>error_code</TableHead>
          </TableRow>
        </TableHeader>
        {[...groupByKind(describeLimits())].map(([kind, rows]) => (
          <TableBody key={kind}>
            <TableRow>
              <TableHead
                scope="colgroup"
                colSpan={3}
                className="pt-4 text-sm text-foreground first-letter:uppercase"
              >
                {kind}
              </TableHead>
            </TableRow>
            {rows.map(({ id, what, most, code }) => (
              <TableRow key={id}>
                <TableCell className="min-w-48">{what}</TableCell>
                <TableCell className="min-w-32">
                  {typeof most === "string" ? most : byPlan(most)}
                </TableCell>
                <TableCell>
                  <code className="font-mono text-xs whitespace-nowrap">{code}</code>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        ))}
      </Table>
    </div>
  );
}

function byPlan(most: Exclude<LimitRow["most"], string>): string {
  return Object.entries(most)
    .map(([plan, amount]) => `${plan} ${amount}`)
    .join(", ");
}

function groupByKind(rows: readonly LimitRow[]): Map<string, LimitRow[]> {
  return Map.groupBy(rows, ({ kind }) => kind);
}
