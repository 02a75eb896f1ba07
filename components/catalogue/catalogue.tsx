"use client";

import { SearchIcon } from "lucide-react";
import Link from "next/link";
import { useDeferredValue, useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import type { CatalogueEntry } from "./entry.ts";
import { NotSetUpBadge } from "./not-set-up.tsx";
import { popular } from "./popular.ts";
import type { OperationSearch } from "./search.ts";

interface CatalogueProps {
  readonly entries: readonly CatalogueEntry[];
}

/** How many operations are shown before a search. */
const shownFirst = 12;

/** All operations as a grid that is searched and filtered by group. */
export function Catalogue({ entries }: CatalogueProps) {
  const [query, setQuery] = useState("");
  const [group, setGroup] = useState<string>();
  const [isComplete, setComplete] = useState(false);
  const search = useSearch(entries, query !== "");
  const groups = [...new Set(entries.map((entry) => entry.group))];
  const matching = search ? search(query).map(({ operation }) => operation) : entries;
  const found = useDeferredValue(matching).filter(
    (entry) => group === undefined || entry.group === group,
  );
  const isFiltered = query.trim() !== "" || group !== undefined;
  const shown = isFiltered || isComplete ? found : pickFirst(entries);
  return (
    <section aria-labelledby="catalogue" className="scroll-mt-20">
      <h2 id="catalogue" className="text-2xl font-semibold tracking-tight">
        {entries.length} operations
      </h2>
      <p className="mt-2 text-muted-foreground">
        Each one is a single request. A chain runs up to ten of them in one job.
      </p>
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <span className="relative min-w-0 flex-1 basis-64">
          <SearchIcon
            aria-hidden="true"
            className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted-foreground"
          />
          <Input
            type="search"
            aria-label="Search operations"
            placeholder="Search operations: exif, heic, shrink…"
            autoComplete="off"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            className="pl-8"
          />
        </span>
        <fieldset className="flex min-w-0 flex-wrap gap-1">
          <legend className="sr-only">Group</legend>
          {[undefined, ...groups].map((option) => (
            <button
              key={option ?? "all"}
              type="button"
              aria-pressed={option === group}
              onClick={() => setGroup(option)}
              className="rounded-md px-3 py-1.5 text-sm text-muted-foreground capitalize hover:bg-accent aria-pressed:bg-primary aria-pressed:text-primary-foreground"
            >
              {option ?? "All"}
            </button>
          ))}
        </fieldset>
      </div>
      <p role="status" className="sr-only">
        {isFiltered && `${shown.length} operations found`}
      </p>
      {shown.length === 0 ? (
        <p className="mt-6 rounded-lg border border-dashed p-8 text-center text-muted-foreground">
          No operation matches “{query}”
        </p>
      ) : (
        <ul className="mt-6 grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
          {shown.map((entry) => (
            <li key={entry.id}>
              <EntryLink entry={entry} />
            </li>
          ))}
        </ul>
      )}
      {!isFiltered && !isComplete && entries.length > shown.length && (
        <Button variant="outline" className="mt-4" onClick={() => setComplete(true)}>
          Show all {entries.length} operations
        </Button>
      )}
    </section>
  );
}

function EntryLink({ entry }: { entry: CatalogueEntry }) {
  const { id, title, summary, isUnavailable } = entry;
  return (
    <Link
      href={`/docs/${id}`}
      prefetch={false}
      className="block h-full rounded-lg border bg-card px-4 py-3 transition-colors hover:border-brand"
    >
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{title}</span>
        <span className="font-mono text-xs text-brand">{id}</span>
      </span>
      <span className="mt-1 line-clamp-2 text-sm text-muted-foreground">{summary}</span>
      {isUnavailable && <NotSetUpBadge />}
    </Link>
  );
}

/** The popular operations, then others. */
function pickFirst(entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  const isPopular = ({ id }: CatalogueEntry) => popular.has(id);
  const others = entries.filter((entry) => !isPopular(entry));
  return [...entries.filter(isPopular), ...others].slice(0, shownFirst);
}

/** The search, whose script is loaded when it is first needed. */
function useSearch(entries: readonly CatalogueEntry[], isNeeded: boolean) {
  const [search, setSearch] = useState<{ readonly find: OperationSearch }>();
  useEffect(() => {
    if (!isNeeded || search) return;
    let cancelled = false;
    import("./search.ts").then(({ createOperationSearch }) => {
      if (!cancelled) setSearch({ find: createOperationSearch(entries) });
    });
    return () => {
      cancelled = true;
    };
  }, [entries, isNeeded, search]);
  return search?.find;
}
