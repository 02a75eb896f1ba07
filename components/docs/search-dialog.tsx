"use client";

import { Command } from "cmdk";
import MiniSearch from "minisearch";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Dialog, DialogContent, DialogTitle } from "#components/ui/dialog.tsx";
import type { SearchEntry } from "./search-index.ts";

/** A page that is found beside the docs. */
export type SearchPage = Omit<SearchEntry, "id">;

interface SearchDialogProps {
  /** Stand before the docs, and with them jobs by their ids. */
  readonly pages?: readonly SearchPage[];
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

interface Loaded {
  readonly index: MiniSearch<SearchEntry>;
  readonly entries: readonly SearchEntry[];
}

const shown = 12;

/** Finds sections of guides and operations as one types. */
export function SearchDialog({ pages, open, onOpenChange }: SearchDialogProps) {
  const router = useRouter();
  const [loaded, setLoaded] = useState<Loaded | "failed">();
  const [query, setQuery] = useState("");
  useEffect(() => {
    load(pages ?? []).then(setLoaded, () => setLoaded("failed"));
  }, [pages]);

  const found = loaded && loaded !== "failed" ? find(loaded, query) : [];
  const results = pages ? [...findJob(query), ...found] : found;
  const title = pages ? "Search" : "Search the docs";
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
            placeholder={pages ? "Search pages, docs or a job’s id …" : "Search the docs …"}
            className="h-12 w-full border-b bg-transparent px-4 pr-12 outline-none placeholder:text-muted-foreground"
          />
          <Command.List className="max-h-[60dvh] overflow-y-auto p-2">
            <Command.Empty className="px-3 py-8 text-center text-sm text-muted-foreground">
              {loaded === "failed"
                ? "The search could not be loaded. Reload the page to try again."
                : loaded
                  ? `Nothing found for “${query}”.`
                  : "Loading …"}
            </Command.Empty>
            {results.map((entry) => (
              <Command.Item
                key={entry.id}
                value={String(entry.id)}
                onSelect={() => {
                  onOpenChange(false);
                  router.push(entry.href);
                }}
                className="cursor-pointer rounded-md px-3 py-2 data-[selected=true]:bg-accent"
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
  const answer = await fetch("/docs/search.json");
  if (!answer.ok) throw new Error(`the search answered ${answer.status}`);
  // Our own route, made from this type.
  const docs = (await answer.json()) as SearchEntry[];
  const entries = [...pages, ...docs].map((entry, id) => ({ ...entry, id }));
  const index = new MiniSearch<SearchEntry>({
    fields: ["title", "section", "text"],
    searchOptions: { boost: { title: 4, section: 2 }, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(entries);
  return { index, entries };
}

/** Without a query: what comes first. */
function find({ index, entries }: Loaded, query: string): readonly SearchEntry[] {
  if (query.trim() === "") return entries.slice(0, shown);
  return index
    .search(query)
    .slice(0, shown)
    .flatMap(({ id }) => entries[id] ?? []);
}

/** The job that a whole id names, or those whose ids begin so. */
function findJob(query: string): SearchEntry[] {
  const id = query.trim();
  if (!/^job_[0-9A-Za-z]{2,24}$/.test(id)) return [];
  const isWhole = id.length === "job_".length + 24;
  return [
    {
      id: -1,
      title: id,
      section: "Jobs",
      text: isWhole ? "Open the job" : "Jobs whose ids begin so",
      href: isWhole ? `/dashboard/jobs/${id}` : `/dashboard/jobs?id=${id}`,
    },
  ];
}
