"use client";

import { ChevronsUpDownIcon, XIcon } from "lucide-react";
import { useRef } from "react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import { cn } from "#components/class-names.ts";
import { Button } from "#components/ui/button.tsx";
import { fieldClasses } from "#components/ui/inputs/input.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";

interface OperationFilterProps {
  readonly operations: readonly CatalogueEntry[];
  /** The ID of the operation whose jobs are shown; empty for all. */
  readonly chosen: string;
  /** The function that is called after the field of the form has changed. */
  readonly onChange: () => void;
}

const load = () =>
  import("#components/catalogue/operation-dialog.tsx").then((module) => module.OperationDialog);

/** The operation of the filters: a list that is searched, as in the playground. */
export function OperationFilter({ operations, chosen, onChange }: OperationFilterProps) {
  const dialog = useLazyDialog(load);
  const field = useRef<HTMLInputElement>(null);

  function choose(id: string) {
    if (field.current) field.current.value = id;
    onChange();
  }

  return (
    <span className="relative flex min-w-0">
      <input ref={field} type="hidden" name="operation" defaultValue={chosen} />
      <button
        type="button"
        id="filter-operation"
        {...dialog.triggerProps}
        className={cn(fieldClasses, "flex h-9 items-center gap-2 pr-2 text-left hover:bg-accent")}
      >
        <span className={cn("min-w-0 flex-1 truncate", chosen !== "" && "pr-6")}>
          {chosen === "" ? "Any" : chosen}
        </span>
        <ChevronsUpDownIcon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      </button>
      {chosen !== "" && (
        <Button
          variant="ghost"
          size="icon-sm"
          onClick={() => choose("")}
          className="absolute top-0.5 right-7"
        >
          <XIcon />
          <span className="sr-only">Any operation</span>
        </Button>
      )}
      {dialog.Dialog && (
        <dialog.Dialog
          entries={operations}
          chosen={chosen}
          onChoose={choose}
          {...dialog.dialogProps}
        />
      )}
    </span>
  );
}
