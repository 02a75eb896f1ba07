"use client";

import { ChevronsUpDownIcon } from "lucide-react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import type { ChooseOperation } from "#components/catalogue/operation-dialog.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { FormOperation } from "../form/form-field.ts";

interface OperationPickerProps {
  readonly entries: readonly CatalogueEntry[];
  readonly chosen: FormOperation;
  readonly onChoose: ChooseOperation;
}

const load = () =>
  import("#components/catalogue/operation-dialog.tsx").then((module) => module.OperationDialog);

/** Shows the selected operation and opens the list of all operations. */
export function OperationPicker({ entries, chosen, onChoose }: OperationPickerProps) {
  const dialog = useLazyDialog(load);
  return (
    <>
      <button
        type="button"
        {...dialog.triggerProps}
        className="flex w-full items-center gap-3 rounded-lg border border-input bg-card p-4 text-left transition-colors hover:bg-accent"
      >
        <span className="grid min-w-0 flex-1 gap-0.5">
          <span className="sr-only">Operation:</span>
          <span className="font-mono text-sm font-medium">{chosen.id}</span>
          <span className="text-sm text-muted-foreground">{chosen.summary}</span>
        </span>
        <ChevronsUpDownIcon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      </button>
      {dialog.Dialog && (
        <dialog.Dialog
          entries={entries}
          chosen={chosen.id}
          onChoose={onChoose}
          {...dialog.dialogProps}
        />
      )}
    </>
  );
}
