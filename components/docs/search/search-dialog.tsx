"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import { Dialog, DialogContent, DialogTitle } from "#components/ui/overlays/dialog.tsx";
import { createDocsSearch, type DocsSearch } from "./docs-search.ts";
import type { SearchEntry } from "./search-index.ts";

/** A page that the search finds in addition to the docs. */
export type SearchPage = Omit<SearchEntry, "id">;

/** Something to do on the present page. */
export interface SearchVerb {
  readonly title: string;
  readonly run: () => void;
}

interface SearchDialogProps {
  /** Listed before the docs. With them, the search also finds jobs by ID. */
  readonly pages?: readonly SearchPage[];
  /** What can be done now, read when the dialog opens. Listed first. */
  readonly readVerbs?: () => readonly SearchVerb[];
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

interface Loaded {
  readonly search: DocsSearch;
  readonly entries: readonly SearchEntry[];
}

const maxResults = 12;

const itemClasses = "cursor-pointer rounded-md px-3 py-2 data-[selected=true]:bg-accent";

/** Searches guides and operations while you type. */
export function SearchDialog({ pages, readVerbs, open, onOpenChange }: SearchDialogProps) {
  const router = useRouter();
  const [loaded, setLoaded] = useState<Loaded | "failed">();
  const [query, setQuery] = useState("");
  useEffect(() => {
    load(pages ?? []).then(setLoaded, () => setLoaded("failed"));
  }, [pages]);

  const found = loaded && loaded !== "failed" ? find(loaded, query) : [];
  const results = pages ? [...findJob(query), ...found] : found;
  const verbs = useMemo(() => (open ? (readVerbs?.() ?? []) : []), [open, readVerbs]);
  const matching = findVerbs(verbs, query);
  const title = pages ? "Search" : "Search docs";
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        aria-describedby={undefined}
        className="top-[12dvh] max-w-xl translate-y-0 gap-0 overflow-hidden p-0"
      >
        <DialogTitle className="sr-only">{title}</DialogTitle>
        <Command shouldFilter={false} label={title}>
          <Command.Input
            value={query}
            onValueChange={setQuery}
            placeholder={pages ? "Search actions, pages, docs or a job ID…" : "Search docs…"}
            className="h-12 w-full border-b bg-transparent px-4 pr-12 outline-none placeholder:text-muted-foreground"
          />
          <Command.List className="max-h-[60dvh] overflow-y-auto p-2">
            <Command.Empty className="px-3 py-8 text-center text-sm text-muted-foreground">
              {loaded === "failed"
                ? "Search could not be loaded. Reload the page to try again."
                : loaded
                  ? `No results for “${query}”`
                  : "Loading…"}
            </Command.Empty>
            {matching.map(({ title: verb, run }) => (
              <Command.Item
                key={verb}
                value={verb}
                onSelect={() => {
                  onOpenChange(false);
                  // After the dialog has closed, because an action may open another one.
                  setTimeout(run);
                }}
                className={itemClasses}
              >
                <p className="flex items-baseline justify-between gap-3 text-sm font-medium">
                  {verb}
                  <span className="text-xs font-normal text-muted-foreground">Action</span>
                </p>
              </Command.Item>
            ))}
            {results.map((entry) => (
              <Command.Item
                key={entry.id}
                value={String(entry.id)}
                onSelect={() => {
                  onOpenChange(false);
                  router.push(entry.href);
                }}
                className={itemClasses}
              >
                <p className="flex items-baseline justify-between gap-3 text-sm font-medium">
                  {entry.title}
                  <span className="text-xs font-normal text-muted-foreground">{entry.section}</span>
                </p>
                <p className="line-clamp-1 text-sm text-muted-foreground">{entry.text}</p>
              </Command.Item>
            ))}
          </Command.List>
        </Command>
      </DialogContent>
    </Dialog>
  );
}

async function load(pages: readonly SearchPage[]): Promise<Loaded> {
  const response = await fetch("/docs/search.json");
  if (!response.ok) throw new Error(`search.json returned status ${response.status}`);
  // Our own route serializes this type.
  const docs = (await response.json()) as SearchEntry[];
  // Without pages it is the search of the docs, which runs nothing.
  const runs = pages.length > 0 ? docs.flatMap(runOf) : [];
  const entries = [...pages, ...docs, ...runs].map((entry, id) => ({ ...entry, id }));
  return { search: createDocsSearch(entries), entries };
}

/** A link that runs the operation of a page of the docs. */
function runOf({ href, text }: SearchEntry): SearchPage[] {
  const operation = /^\/docs\/([a-z]+\/[a-z0-9-]+)$/.exec(href)?.[1];
  if (!operation) return [];
  const playground = `/dashboard/playground?operation=${operation}`;
  return [{ href: playground, title: `Run ${operation}`, section: "Action", text }];
}

/** The best matches, or the first entries if the query is empty. */
function find({ search, entries }: Loaded, query: string): readonly SearchEntry[] {
  return (query.trim() === "" ? entries : search(query)).slice(0, maxResults);
}

/** The verbs that have every word of the query; without one, the first few. */
function findVerbs(verbs: readonly SearchVerb[], query: string): readonly SearchVerb[] {
  const words = query.trim().toLowerCase().split(/\s+/);
  const found = verbs.filter(({ title }) =>
    words.every((word) => title.toLowerCase().includes(word)),
  );
  return found.slice(0, query.trim() === "" ? 5 : maxResults);
}

/** A link to the job with this ID, or to the jobs whose IDs start with it. */
function findJob(query: string): SearchEntry[] {
  const id = query.trim();
  if (!/^job_[0-9A-Za-z]{2,24}$/.test(id)) return [];
  const isComplete = id.length === "job_".length + 24;
  return [
    {
      id: -1,
      title: id,
      section: "Jobs",
      text: isComplete ? "Open this job" : "Find jobs whose IDs start with this text",
      href: isComplete ? `/dashboard/jobs/${id}` : `/dashboard/jobs?id=${id}`,
    },
  ];
}
