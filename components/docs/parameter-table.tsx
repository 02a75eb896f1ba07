import { Badge } from "#components/ui/badge.tsx";
import { describeSchema } from "#lib/api/http/schema-messages.ts";
import { parameterSchema } from "#lib/api/job-creation/request-schema.ts";
import type { Operation } from "#lib/operations/define.ts";
import { TermList } from "./term-list.tsx";

/** An operation's parameters, from the schema that validates its requests. */
export function ParameterTable({ operation }: { operation: Operation }) {
  const { properties, required } = parameterSchema(operation);
  const terms = Object.entries(properties).map(([name, schema]) => ({
    name,
    aside: name.endsWith("_url") ? "a URL, or the id of an upload" : describeSchema(schema),
    mark: required.includes(name) ? (
      <Badge variant="brand">required</Badge>
    ) : schema.default === undefined ? (
      <span className="text-muted-foreground">optional</span>
    ) : (
      <span className="text-muted-foreground">
        default <code className="font-mono text-foreground">{String(schema.default)}</code>
      </span>
    ),
    text: schema.description,
  }));
  if (terms.length === 0)
    return <p className="text-muted-foreground">This operation has no parameters of its own.</p>;
  return <TermList label="Parameters" terms={terms} linked />;
}
