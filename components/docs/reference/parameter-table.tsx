import Link from "next/link";
import { Badge } from "#components/ui/badge.tsx";
import { describeSchema, type FieldSchema } from "#lib/api/http/schema-messages.ts";
import { parameterSchema } from "#lib/api/job-creation/request-schema.ts";
import type { Operation } from "#lib/operations/define.ts";
import { TermList } from "../term-list.tsx";

/** An operation's parameters, from the schema that validates its requests. */
export function ParameterTable({ operation }: { operation: Operation }) {
  const { properties, required } = parameterSchema(operation);
  const terms = Object.entries(properties).map(([name, schema]) => ({
    name,
    aside: name.endsWith("_url") ? "a URL, or the id of an upload" : describeSchema(schema),
    mark: (
      <>
        <Presence schema={schema} isRequired={required.includes(name)} />
        {schema.writeOnly && (
          <>
            {" "}
            <Link href="/docs/jobs#secret-parameters">
              <Badge>secret</Badge>
            </Link>
          </>
        )}
      </>
    ),
    text: schema.description,
  }));
  if (terms.length === 0)
    return <p className="text-muted-foreground">This operation has no parameters of its own.</p>;
  return <TermList label="Parameters" terms={terms} linked />;
}

/** Whether a request must have the parameter, or its default. */
function Presence({ schema, isRequired }: { schema: FieldSchema; isRequired: boolean }) {
  if (isRequired) return <Badge variant="brand">required</Badge>;
  const { default: initial } = schema;
  if (initial === undefined) return <span className="text-muted-foreground">optional</span>;
  const text = typeof initial === "object" ? JSON.stringify(initial) : String(initial);
  return (
    <span className="text-muted-foreground">
      default <code className="font-mono break-all text-foreground">{text}</code>
    </span>
  );
}
