import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "#components/ui/table.tsx";
import { describeLimits, type LimitRow } from "#lib/limits/limits.ts";

/** The limits of a single file, from the table that the engines enforce. */
export function LimitsTable() {
  return (
    <div className="rounded-lg border bg-card">
      <Table aria-label="Limits of a single file">
        <TableHeader>
          <TableRow>
            <TableHead>Limit</TableHead>
            <TableHead>Maximum</TableHead>
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
            {rows.map(({ id, description, max, code }) => (
              <TableRow key={id}>
                <TableCell className="min-w-48">{description}</TableCell>
                <TableCell className="min-w-32">
                  {typeof max === "string" ? max : byPlan(max)}
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

function byPlan(max: Exclude<LimitRow["max"], string>): string {
  return Object.entries(max)
    .map(([plan, amount]) => `${plan} ${amount}`)
    .join(", ");
}

function groupByKind(rows: readonly LimitRow[]): Map<string, LimitRow[]> {
  return Map.groupBy(rows, ({ kind }) => kind);
}
