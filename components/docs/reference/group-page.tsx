import Link from "next/link";
import { NotSetUpBadge } from "#components/catalogue/not-set-up.tsx";
import { listUnavailableOperations } from "#lib/api/job-creation/unavailable-operations.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { OperationGroup } from "#lib/operations/define.ts";
import { DocsTitle } from "../guide-page.tsx";
import { groupSummaries, groupTitles } from "../titles.ts";

/** The reference page of one group of operations. */
export async function GroupPage({ group }: { group: OperationGroup }) {
  const unavailable = new Set((await listUnavailableOperations()).map(({ id }) => id));
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
                {unavailable.has(id) && <NotSetUpBadge />}
              </Link>
            </li>
          ))}
      </ul>
    </article>
  );
}
