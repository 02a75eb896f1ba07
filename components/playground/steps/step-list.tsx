"use client";

import { type ReactNode, useId } from "react";
import { type PreviewFile, previewKind } from "#components/preview/preview-file.ts";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { OrderedList } from "../fields/ordered-list.tsx";
import { describeResult, describeValues } from "./describe-step.ts";
import type { Step } from "./step.ts";

interface StepListProps {
  readonly steps: readonly Step[];
  readonly active: number;
  /** The index of a step that does not take the output of the one before. */
  readonly broken: number | undefined;
  readonly onActivate: (index: number) => void;
  readonly onRemove: (index: number) => void;
  readonly onMove: (from: number, to: number) => void;
  /** The files of the last run by the keys of their steps. */
  readonly results: ReadonlyMap<number, PreviewFile>;
  /** The button between a step and the next one. */
  readonly between: (index: number) => ReactNode;
  readonly keepsSteps: boolean;
  readonly onKeepSteps: (keepsSteps: boolean) => void;
}

/** What a step gave in the last run. */
function StepResult({ file }: { file: PreviewFile | undefined }) {
  if (!file) return null;
  return (
    <span className="flex shrink-0 items-center gap-2 self-center text-xs text-muted-foreground tabular-nums">
      <span className="max-sm:hidden">{describeResult(file)}</span>
      {previewKind(file) === "image" && (
        <img src={file.url} alt="" className="size-8 rounded-sm border object-cover" />
      )}
    </span>
  );
}

/** The operations of the job in order, of which one is shown, and whether the result of each is kept. */
export function StepList(props: StepListProps) {
  const { steps, active, broken, onActivate, onRemove, onMove, keepsSteps, onKeepSteps } = props;
  const { results, between } = props;
  const id = useId();
  const borderOf = (index: number) => {
    if (index === broken) return "border-destructive";
    return index === active ? "border-brand" : undefined;
  };
  return (
    <div className="grid min-w-0 gap-3">
      <OrderedList
        label="Steps"
        unit="step"
        className="gap-5"
        items={steps.map((step, index) => ({
          key: step.key,
          name: step.operation.id,
          after: index < steps.length - 1 && between(index),
          className: borderOf(index),
          content: (
            <button
              type="button"
              aria-current={index === active ? "step" : undefined}
              onClick={() => onActivate(index)}
              className="flex min-w-0 flex-1 items-baseline gap-2 rounded-sm px-1 py-1 text-left"
            >
              <span className="text-xs text-muted-foreground tabular-nums">{index + 1}</span>
              <span className="grid min-w-0 flex-1 gap-0.5">
                <span className="truncate font-mono text-sm">{step.operation.id}</span>
                <span className="truncate text-xs text-muted-foreground empty:hidden">
                  {describeValues(step)}
                </span>
              </span>
              <StepResult file={results.get(step.key)} />
            </button>
          ),
        }))}
        onMove={onMove}
        onRemove={onRemove}
      />
      <label htmlFor={id} className="flex w-fit items-center gap-2 text-sm">
        <Checkbox
          id={id}
          checked={keepsSteps}
          onChange={({ target }) => onKeepSteps(target.checked)}
        />
        Show the result of each step
      </label>
    </div>
  );
}
