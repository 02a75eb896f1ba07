"use client";

import { ChevronsUpDownIcon } from "lucide-react";
import { usePanel } from "#components/ui/use-panel.ts";
import type { FormOperation } from "./form-field.ts";

interface OperationPickerProps {
  readonly operations: readonly FormOperation[];
  readonly chosen: FormOperation;
  readonly onChoose: (id: string) => void;
}

const load = () => import("./operation-panel.tsx").then((module) => module.OperationPanel);

/** The operation that is tried; opens the catalogue. */
export function OperationPicker({ operations, chosen, onChoose }: OperationPickerProps) {
  const panel = usePanel(load);
  return (
    <>
      <button
        type="button"
        {...panel.trigger}
        className="flex w-full items-center gap-3 rounded-lg border border-input bg-card p-4 text-left transition-colors hover:bg-accent"
      >
        <span className="grid min-w-0 flex-1 gap-0.5">
          <span className="sr-only">Operation:</span>
          <span className="font-mono text-sm font-medium">{chosen.id}</span>
          <span className="text-sm text-muted-foreground">{chosen.summary}</span>
        </span>
        <ChevronsUpDownIcon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      </button>
      {panel.Panel && <panel.Panel operations={operations} onChoose={onChoose} {...panel.panel} />}
    </>
  );
}
