import Link from "next/link";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { OperationGroup } from "#lib/operations/define.ts";
import { DocsTitle } from "../guide-page.tsx";
import { groupSummaries, groupTitles } from "../titles.ts";

/** The reference page of one group of operations. */
export function GroupPage({ group }: { group: OperationGroup }) {
  return (
    <article>
      <DocsTitle title={groupTitles[group]} summary={groupSummaries[group]} />
      <ul className="grid gap-3 sm:grid-cols-2">
        {operations
          .filter((operation) => operation.group === group)
          .map(({ id, title, summary }) => (
            <li key={id}>
              <Link
                href={`/docs/${id}`}
                className="block h-full rounded-lg border bg-card p-4 transition-colors hover:border-brand"
              >
                <p className="font-semibold">{title}</p>
                <p className="mt-1 text-sm text-muted-foreground">{summary}</p>
                <p className="mt-3 font-mono text-xs text-brand">/v1/{id}</p>
              </Link>
            </li>
          ))}
      </ul>
    </article>
  );
}
