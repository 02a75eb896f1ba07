import { describeTypes } from "#lib/media/types.ts";
import type { Operation, OperationGroup } from "#lib/operations/define.ts";

/** Beyond so many types a list of them tells less than "any file". */
const mostNamedTypes = 20;

interface OperationListProps {
  readonly group: OperationGroup;
  readonly operations: readonly Operation[];
}

/** The operations of one group, each with what it does and what it takes. */
export function OperationList({ group, operations }: OperationListProps) {
  return (
    <section className="mt-12" aria-labelledby={group}>
      <h2 id={group} className="font-mono text-sm text-quiet">
        /v1/{group}
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {operations.map((operation) => (
          <li key={operation.id} className="grid gap-x-6 gap-y-1 py-4 sm:grid-cols-[14rem_1fr]">
            <code className="font-mono text-sm">{operation.id.split("/")[1]}</code>
            <div>
              <p>{operation.summary}</p>
              <p className="mt-1 text-sm text-quiet">
                {operation.accepts.length > mostNamedTypes
                  ? "Takes nearly any file."
                  : `Takes ${describeTypes(operation.accepts)}.`}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
