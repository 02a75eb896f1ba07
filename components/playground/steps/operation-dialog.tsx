"use client";

import { Command } from "cmdk";
import { useMemo, useRef, useState } from "react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import { createOperationSearch } from "#components/catalogue/search.ts";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";

interface OperationDialogProps extends LazyDialogProps {
  readonly entries: readonly CatalogueEntry[];
  /** The ID of the operation that is chosen now. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** All operations by group, or those that a search finds, the best match first. */
export function OperationDialog(props: OperationDialogProps) {
  const { entries, chosen, onChoose, open, onOpenChange, onCloseAutoFocus } = props;
  const search = useMemo(() => createOperationSearch(entries), [entries]);
  const [query, setQuery] = useState("");
  const [selected, setSelected] = useState(chosen);
  const list = useRef<HTMLDivElement>(null);
  const found = search(query);
  const groups = query.trim() === "" ? [...new Set(entries.map(({ group }) => group))] : [];

  function changeQuery(next: string) {
    setQuery(next);
    setSelected(next.trim() === "" ? chosen : (search(next)[0]?.id ?? ""));
    list.current?.scrollTo({ top: 0 });
  }

  function choose(id: string) {
    onChoose(id);
    onOpenChange(false);
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        onCloseAutoFocus={onCloseAutoFocus}
        className="top-[8dvh] max-w-xl translate-y-0 gap-0 p-0"
      >
        <DialogTitle className="sr-only">Choose an operation</DialogTitle>
        <DialogDescription className="sr-only">
          Type to search. Move with the arrow keys and choose with Enter.
        </DialogDescription>
        <Command
          label="Operations"
          shouldFilter={false}
          value={selected}
          onValueChange={setSelected}
          className="grid"
        >
          <Command.Input
            value={query}
            onValueChange={changeQuery}
            placeholder="Search operations…"
            className="h-12 w-full border-b bg-transparent px-4 pr-12 text-base outline-none placeholder:text-muted-foreground md:text-sm"
          />
          <p role="status" className="sr-only">
            {found.length === 1 ? "1 operation" : `${found.length} operations`}
          </p>
          <Command.List ref={list} className="max-h-[70dvh] scroll-py-8 overflow-y-auto p-2 pt-0">
            <Command.Empty className="p-6 text-center text-sm text-muted-foreground">
              No operations found
            </Command.Empty>
            {groups.map((group) => (
              <Command.Group
                key={group}
                heading={group}
                className="[&_[cmdk-group-heading]]:sticky [&_[cmdk-group-heading]]:top-0 [&_[cmdk-group-heading]]:z-10 [&_[cmdk-group-heading]]:bg-card [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:capitalize"
              >
                {found
                  .filter((entry) => entry.group === group)
                  .map((entry) => (
                    <Item key={entry.id} entry={entry} onChoose={choose} />
                  ))}
              </Command.Group>
            ))}
            {groups.length === 0 && (
              <div className="pt-2">
                {found.map((entry) => (
                  <Item key={entry.id} entry={entry} onChoose={choose} />
                ))}
              </div>
            )}
          </Command.List>
        </Command>
      </DialogContent>
    </Dialog>
  );
}

interface ItemProps {
  readonly entry: CatalogueEntry;
  readonly onChoose: (id: string) => void;
}

function Item({ entry: { id, title, summary }, onChoose }: ItemProps) {
  return (
    <Command.Item
      value={id}
      onSelect={() => onChoose(id)}
      className="grid cursor-pointer gap-0.5 rounded-md border-l-2 border-transparent px-3 py-2 data-[selected=true]:border-brand data-[selected=true]:bg-accent"
    >
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-sm font-medium">{title}</span>
        <span className="font-mono text-xs text-muted-foreground">{id}</span>
      </span>
      <span className="text-xs text-muted-foreground">{summary}</span>
    </Command.Item>
  );
}
