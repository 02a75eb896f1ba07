import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "#components/ui/table.tsx";
import { describeAllowed } from "#lib/api/allowed.ts";
import { parameterSchema } from "#lib/api/catalogue.ts";
import type { Operation } from "#lib/operations/define.ts";

/** An operation's parameters, from the schema that checks every request. */
export function ParameterTable({ operation }: { operation: Operation }) {
  const { properties, required } = parameterSchema(operation);
  const rows = Object.entries(properties);
  if (rows.length === 0)
    return <p className="text-muted-foreground">This operation takes no parameters of its own.</p>;
  return (
    <div className="rounded-lg border bg-card">
      <Table aria-label="Parameters">
        <TableHeader>
          <TableRow>
            <TableHead>Name</TableHead>
            <TableHead>Allowed</TableHead>
            <TableHead>Default</TableHead>
            <TableHead>Meaning</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {rows.map(([name, schema]) => (
            <TableRow key={name} id={name}>
              <TableCell className="align-top">
                <code className="font-mono text-xs font-semibold">{name}</code>
              </TableCell>
              <TableCell className="min-w-40 align-top">
                {name.endsWith("_url")
                  ? "an address, or the id of an upload"
                  : describeAllowed(schema)}
              </TableCell>
              <TableCell className="align-top">
                {required.includes(name) ? (
                  <span className="text-brand">required</span>
                ) : schema.default === undefined ? (
                  <span className="text-muted-foreground">none</span>
                ) : (
                  <code className="font-mono text-xs">{String(schema.default)}</code>
                )}
              </TableCell>
              <TableCell className="min-w-64 align-top">{schema.description}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
