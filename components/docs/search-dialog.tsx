"use client";

import { Command } from "cmdk";
import MiniSearch from "minisearch";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Dialog, DialogContent, DialogTitle } from "#components/ui/dialog.tsx";
import type { SearchEntry } from "./search-index.ts";

interface SearchDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

interface Loaded {
  readonly index: MiniSearch<SearchEntry>;
  readonly entries: readonly SearchEntry[];
}

const shown = 12;

/** Finds sections of guides and operations as one types. */
export default function SearchDialog({ open, onOpenChange }: SearchDialogProps) {
  const router = useRouter();
  const [loaded, setLoaded] = useState<Loaded | "failed">();
  const [query, setQuery] = useState("");
  useEffect(() => {
    load().then(setLoaded, () => setLoaded("failed"));
  }, []);

  const results = loaded && loaded !== "failed" ? find(loaded, query) : [];
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        aria-describedby={undefined}
        className="top-[12dvh] max-w-xl translate-y-0 gap-0 overflow-hidden p-0"
      >
        <DialogTitle className="sr-only">Search the docs</DialogTitle>
        <Command shouldFilter={false} label="Search the docs">
          <Command.Input
            value={query}
            onValueChange={setQuery}
            placeholder="Search the docs …"
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

async function load(): Promise<Loaded> {
  const answer = await fetch("/docs/search.json");
  if (!answer.ok) throw new Error(`the search answered ${answer.status}`);
  // Our own route, made from this type.
  const entries = (await answer.json()) as SearchEntry[];
  const index = new MiniSearch<SearchEntry>({
    fields: ["title", "section", "text"],
    searchOptions: { boost: { title: 4, section: 2 }, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(entries);
  return { index, entries };
}

/** Without a query: the operations. */
function find({ index, entries }: Loaded, query: string): readonly SearchEntry[] {
  if (query.trim() === "") return entries.slice(0, shown);
  return index
    .search(query)
    .slice(0, shown)
    .flatMap(({ id }) => entries[id] ?? []);
}
