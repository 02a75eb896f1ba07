"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import { Dialog, DialogContent, DialogTitle } from "#components/ui/overlays/dialog.tsx";
import { loadDocs } from "./load-docs.ts";
import { ResultRow } from "./result-row.tsx";
import type { DocsEntry } from "./search-index.ts";
import { createRows, hrefOf, type SearchRow, type SearchTarget } from "./search-target.ts";
import { type FindLate, useLateRows } from "./use-late-rows.ts";

interface SearchDialogProps {
  /** What is found in addition to the docs, read when the dialog opens. Listed first. */
  readonly readTargets?: () => readonly SearchTarget[];
  /** Finds results on the service while you type. */
  readonly findLate?: FindLate;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

const noTargets: readonly SearchTarget[] = [];

/** A file name or an id rather than words. */
const exactText = /^job_|\d|\.\w/;

/** Jobs come last, or first for a query that is a file name or an id, of which single words mean nothing. */
function mergeRows(
  query: string,
  known: readonly SearchRow[],
  late: readonly SearchRow[],
): readonly SearchRow[] {
  if (late.length === 0) return known;
  if (!exactText.test(query)) return [...known, ...late];
  return [...late, ...known.filter(({ isPartial }) => !isPartial)];
}

/** Searches actions, pages, guides and operations while you type. */
export function SearchDialog({ readTargets, findLate, open, onOpenChange }: SearchDialogProps) {
  const router = useRouter();
  const [docs, setDocs] = useState<readonly DocsEntry[] | "failed">();
  const [query, setQuery] = useState("");
  // The row that the user has moved to. Without one, the first row is selected, also if results arrive later.
  const [moved, setMoved] = useState<string>();
  useEffect(() => {
    if (open) loadDocs().then(setDocs, () => setDocs("failed"));
  }, [open]);
  const find = useMemo(() => {
    const targets = open && readTargets ? readTargets() : noTargets;
    return createRows(targets, docs === "failed" ? [] : (docs ?? []));
  }, [open, readTargets, docs]);

  const known = useMemo(() => find(query), [find, query]);
  const late = useLateRows(findLate, query.trim());
  const rows = mergeRows(query, known, late);
  const selected = rows.find(({ key }) => key === moved) ?? rows[0];
  const title = readTargets ? "Search" : "Search docs";

  function choose({ entry, conversion }: SearchRow) {
    onOpenChange(false);
    if ("href" in entry) router.push(hrefOf(entry.href, conversion));
    // After the dialog has closed, because an action may open another one.
    else setTimeout(entry.run);
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        aria-describedby={undefined}
        className="top-[12dvh] max-w-xl translate-y-0 grid-cols-1 gap-0 overflow-hidden p-0"
      >
        <DialogTitle className="sr-only">{title}</DialogTitle>
        <Command
          shouldFilter={false}
          label={title}
          value={selected?.key ?? ""}
          onValueChange={(key) => {
            if (key !== selected?.key) setMoved(key);
          }}
        >
          <Command.Input
            value={query}
            onValueChange={(text) => {
              setQuery(text);
              setMoved(undefined);
            }}
            placeholder={readTargets ? "Search actions, docs and jobs…" : "Search docs…"}
            className="h-12 w-full border-b bg-transparent px-4 pr-12 outline-none placeholder:text-muted-foreground"
          />
          <Command.List className="max-h-[60dvh] overflow-x-hidden overflow-y-auto p-2">
            <Command.Empty className="px-3 py-8 text-center text-sm text-muted-foreground">
              {docs === "failed"
                ? "Search could not be loaded. Reload the page to try again."
                : docs
                  ? `No results for “${query}”`
                  : "Loading…"}
            </Command.Empty>
            {rows.map((row) => (
              <ResultRow key={row.key} row={row} onChoose={() => choose(row)} />
            ))}
          </Command.List>
        </Command>
      </DialogContent>
    </Dialog>
  );
}
