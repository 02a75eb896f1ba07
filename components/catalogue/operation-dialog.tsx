"use client";

import { Command } from "cmdk";
import { useMemo, useRef, useState } from "react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import { NotSetUpBadge } from "#components/catalogue/not-set-up.tsx";
import { createOperationSearch, type FoundOperation } from "#components/catalogue/search.ts";
import { describeConversion } from "#components/search/describe-conversion.ts";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";

/** Chooses an operation, with the value of its parameter `format` if the search named one. */
export type ChooseOperation = (id: string, format?: string) => void;

interface OperationDialogProps extends LazyDialogProps {
  readonly entries: readonly CatalogueEntry[];
  /** The ID of the operation that is chosen now. */
  readonly chosen: string;
  readonly onChoose: ChooseOperation;
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
  const itemsOf = (items: readonly FoundOperation[]) =>
    items.map((item) => <Item key={item.operation.id} found={item} onChoose={choose} />);

  function changeQuery(next: string) {
    setQuery(next);
    setSelected(next.trim() === "" ? chosen : (search(next)[0]?.operation.id ?? ""));
    list.current?.scrollTo({ top: 0 });
  }

  function choose({ operation, conversion }: FoundOperation) {
    onChoose(operation.id, conversion?.format || undefined);
    onOpenChange(false);
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        onCloseAutoFocus={onCloseAutoFocus}
        className="top-[8dvh] max-w-xl translate-y-0 grid-cols-1 gap-0 p-0"
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
          className="grid min-w-0 grid-cols-1"
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
                {itemsOf(found.filter(({ operation }) => operation.group === group))}
              </Command.Group>
            ))}
            {groups.length === 0 && <div className="pt-2">{itemsOf(found)}</div>}
          </Command.List>
        </Command>
      </DialogContent>
    </Dialog>
  );
}

interface ItemProps {
  readonly found: FoundOperation;
  readonly onChoose: (found: FoundOperation) => void;
}

function Item({ found, onChoose }: ItemProps) {
  const { id, title, summary, isUnavailable } = found.operation;
  const { conversion } = found;
  return (
    <Command.Item
      value={id}
      onSelect={() => onChoose(found)}
      className="grid cursor-pointer gap-0.5 rounded-md border-l-2 border-transparent px-3 py-2 data-[selected=true]:border-brand data-[selected=true]:bg-accent"
    >
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 text-sm font-medium">{title}</span>
        <span className="min-w-0 font-mono text-xs wrap-anywhere text-muted-foreground">{id}</span>
      </span>
      <span className="text-xs text-muted-foreground">
        {conversion?.format ? describeConversion(conversion) : summary}
      </span>
      {isUnavailable && <NotSetUpBadge />}
    </Command.Item>
  );
}
