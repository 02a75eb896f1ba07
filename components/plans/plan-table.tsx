import { Badge } from "#components/ui/badge.tsx";
import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "#components/ui/table.tsx";
import { type PlanName, planNames, plans } from "#lib/plans.ts";
import { planRows } from "./plan-rows.ts";

/** A comparison of all plans, from the limits that are enforced. `current` is highlighted. */
export function PlanTable({ current }: { current?: PlanName }) {
  return (
    <div className="rounded-lg border bg-card">
      <Table aria-label="Plans">
        <TableHeader>
          <TableRow>
            <TableHead>
              <span className="sr-only">Limit</span>
            </TableHead>
            {planNames.map((name) => (
              <TableHead key={name} aria-current={name === current ? "true" : undefined}>
                <span className="flex items-center gap-2 capitalize">
                  {name}
                  {name === current && <Badge variant="brand">Current</Badge>}
                </span>
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {planRows.map(({ label, show }) => (
            <TableRow key={label}>
              <th scope="row" className="px-3 py-2.5 text-left font-normal whitespace-nowrap">
                {label}
              </th>
              {planNames.map((name) => (
                <TableCell key={name} className="whitespace-nowrap tabular-nums">
                  {show(plans[name])}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
