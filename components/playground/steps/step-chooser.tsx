"use client";

import { Suspense } from "react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import type { ChooseOperation } from "#components/catalogue/operation-dialog.tsx";
import type { PreviewFile } from "#components/preview/preview-file.ts";
import { lazyPart } from "#components/ui/loading/lazy-part.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { FormOperation } from "../form/form-field.ts";
import { AddStep } from "./add-step.tsx";
import { OperationPicker } from "./operation-picker.tsx";
import { canFollow, isChainable, maxSteps } from "./step.ts";
import type { Steps } from "./use-steps.ts";

// Most jobs have one step.
const StepList = lazyPart(() => import("./step-list.tsx").then((module) => module.StepList));

interface StepChooserProps {
  readonly steps: Steps;
  readonly operations: readonly FormOperation[];
  readonly entries: readonly CatalogueEntry[];
  /** The index of a step that does not take the output of the one before. */
  readonly broken: number | undefined;
  /** Whether the results of all steps are shown. */
  readonly keepsSteps: boolean;
  readonly onKeepSteps: (keepsSteps: boolean) => void;
  /** The files of the last run by the keys of their steps. */
  readonly results: ReadonlyMap<number, PreviewFile>;
  /** Adds a step before the index `at`, by default at the end. */
  readonly onAdd: (id: string, format?: string, at?: number) => void;
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
  /** What can be between a step and the next one. */
  const between = (index: number) => {
    const [before, after] = [list[index]?.operation, list[index + 1]?.operation];
    if (!before || !after || list.length >= maxSteps) return null;
    const entries = offer((one) => canFollow(one, before) && canFollow(after, one));
    if (entries.length === 0) return null;
    const add: ChooseOperation = (id, format) => onAdd(id, format, index + 1);
    return <AddStep entries={entries} after={index + 1} onAdd={add} />;
  };
  const picker = <OperationPicker entries={offered} chosen={shown.operation} onChoose={onChoose} />;
  const adder = following.length > 0 && list.length < maxSteps && (
    <AddStep entries={following} onAdd={onAdd} />
  );
  if (list.length === 1) {
    return (
      <div className="grid min-w-0 gap-3">
        {picker}
        {adder}
      </div>
    );
  }
  return (
    <div className="grid min-w-0 gap-3">
      <Suspense fallback={<Skeleton className="h-24 w-full" />}>
        <StepList
          steps={list}
          active={active}
          broken={broken}
          results={props.results}
          between={between}
          onActivate={steps.activate}
          onRemove={steps.remove}
          onMove={steps.move}
          keepsSteps={props.keepsSteps}
          onKeepSteps={props.onKeepSteps}
        />
      </Suspense>
      {broken !== undefined && (
        <p role="alert" className="text-sm text-destructive">
          {`Step ${broken + 1}, ${list[broken]?.operation.id}, does not take the output of step ${broken}. Change the order, or remove one of them.`}
        </p>
      )}
      {adder}
      <h2 className="mt-3 border-t pt-5 text-sm font-medium">
        Step {active + 1} of {list.length}
      </h2>
      {picker}
    </div>
  );
}
