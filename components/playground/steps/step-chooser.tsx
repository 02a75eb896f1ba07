"use client";

import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import type { FormOperation } from "../form/form-field.ts";
import { OperationPicker } from "./operation-picker.tsx";
import { canFollow, isChainable } from "./step.ts";
import { StepList } from "./step-list.tsx";
import type { Steps } from "./use-steps.ts";

interface StepChooserProps {
  readonly steps: Steps;
  readonly operations: readonly FormOperation[];
  readonly entries: readonly CatalogueEntry[];
  /** The index of a step that does not take the output of the one before. */
  readonly broken: number | undefined;
  readonly onAdd: (operationId: string) => void;
  /** Changes the operation of the step that is shown. */
  readonly onChoose: (operationId: string) => void;
}

/** The steps of the job, and the operation of the step that is shown. Offers only what can be at its place. */
export function StepChooser(props: StepChooserProps) {
  const { steps, operations, entries, broken, onAdd, onChoose } = props;
  const { list, active } = steps;
  const [first] = list;
  const last = list.at(-1);
  const shown = list[active];
  const previous = list[active - 1];
  if (!first || !last || !shown) return null;

  /** The entries of the operations for which `isOffered` holds. */
  const offer = (isOffered: (operation: FormOperation) => boolean) => {
    const ids = new Set(operations.filter(isOffered).map(({ id }) => id));
    return entries.filter(({ id }) => ids.has(id));
  };
  const offered = previous
    ? offer((one) => canFollow(one, previous.operation))
    : list.length > 1
      ? offer(isChainable)
      : entries;
  return (
    <div className="grid min-w-0 gap-3">
      <StepList
        steps={list}
        active={active}
        following={
          isChainable(first.operation) ? offer((one) => canFollow(one, last.operation)) : []
        }
        broken={broken}
        onActivate={steps.activate}
        onAdd={onAdd}
        onRemove={steps.remove}
        onMove={steps.move}
      />
      <OperationPicker entries={offered} chosen={shown.operation} onChoose={onChoose} />
    </div>
  );
}
