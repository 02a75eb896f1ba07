"use client";

import { PlusIcon } from "lucide-react";
import { lazy, Suspense } from "react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import type { ChooseOperation } from "#components/catalogue/operation-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { FormOperation } from "../form/form-field.ts";
import { OperationPicker } from "./operation-picker.tsx";
import { canFollow, isChainable, maxSteps } from "./step.ts";
import type { Steps } from "./use-steps.ts";

// Most jobs have one step.
const StepList = lazy(async () => ({ default: (await import("./step-list.tsx")).StepList }));

const load = () =>
  import("#components/catalogue/operation-dialog.tsx").then((module) => module.OperationDialog);

interface StepChooserProps {
  readonly steps: Steps;
  readonly operations: readonly FormOperation[];
  readonly entries: readonly CatalogueEntry[];
  /** The index of a step that does not take the output of the one before. */
  readonly broken: number | undefined;
  /** Whether the results of all steps are shown. */
  readonly keepsSteps: boolean;
  readonly onKeepSteps: (keepsSteps: boolean) => void;
  readonly onAdd: ChooseOperation;
  /** Changes the operation of the step that is shown. */
  readonly onChoose: ChooseOperation;
}

/** The steps of the job, and the operation of the step that is shown. Offers only what can be at its place. */
export function StepChooser(props: StepChooserProps) {
  const { steps, operations, entries, broken, onAdd, onChoose } = props;
  const { list, active } = steps;
  const [first] = list;
  const last = list.at(-1);
  const shown = list[active];
  const previous = list[active - 1];
  const dialog = useLazyDialog(load);
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
  const following = isChainable(first.operation)
    ? offer((one) => canFollow(one, last.operation))
    : [];
  return (
    <div className="grid min-w-0 gap-3">
      {list.length > 1 && (
        <Suspense fallback={<Skeleton className="h-24 w-full" />}>
          <StepList
            steps={list}
            active={active}
            broken={broken}
            onActivate={steps.activate}
            onRemove={steps.remove}
            onMove={steps.move}
            keepsSteps={props.keepsSteps}
            onKeepSteps={props.onKeepSteps}
          />
        </Suspense>
      )}
      {broken !== undefined && (
        <p role="alert" className="text-sm text-destructive">
          {`Step ${broken + 1}, ${list[broken]?.operation.id}, does not take the output of step ${broken}. Change the order, or remove one of them.`}
        </p>
      )}
      {following.length > 0 && list.length < maxSteps && (
        <>
          <Button variant="outline" size="sm" className="w-fit" {...dialog.triggerProps}>
            <PlusIcon aria-hidden="true" />
            Add a step
          </Button>
          {dialog.Dialog && (
            <dialog.Dialog entries={following} chosen="" onChoose={onAdd} {...dialog.dialogProps} />
          )}
        </>
      )}
      <OperationPicker entries={offered} chosen={shown.operation} onChoose={onChoose} />
    </div>
  );
}
