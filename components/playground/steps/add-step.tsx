"use client";

import { PlusIcon } from "lucide-react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import type { ChooseOperation } from "#components/catalogue/operation-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";

interface AddStepProps {
  /** The operations that can be at this place. */
  readonly entries: readonly CatalogueEntry[];
  /** The number of the step before; undefined at the end. */
  readonly after?: number;
  readonly onAdd: ChooseOperation;
}

const load = () =>
  import("#components/catalogue/operation-dialog.tsx").then((module) => module.OperationDialog);

/** A button that adds a step: at the end, or as a small one between two steps. */
export function AddStep({ entries, after, onAdd }: AddStepProps) {
  const dialog = useLazyDialog(load);
  const isBetween = after !== undefined;
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        className={isBetween ? "size-5 rounded-full p-0 [&_svg]:size-3" : "w-fit"}
        {...dialog.triggerProps}
      >
        <PlusIcon aria-hidden="true" />
        {isBetween ? (
          <span className="sr-only">
            Insert a step between {after} and {after + 1}
          </span>
        ) : (
          "Add a step"
        )}
      </Button>
      {dialog.Dialog && (
        <dialog.Dialog entries={entries} chosen="" onChoose={onAdd} {...dialog.dialogProps} />
      )}
    </>
  );
}
