"use client";

import { useId } from "react";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { OrderedList } from "../fields/ordered-list.tsx";
import type { Step } from "./step.ts";

interface StepListProps {
  readonly steps: readonly Step[];
  readonly active: number;
  /** The index of a step that does not take the output of the one before. */
  readonly broken: number | undefined;
  readonly onActivate: (index: number) => void;
  readonly onRemove: (index: number) => void;
  readonly onMove: (from: number, to: number) => void;
  readonly keepsSteps: boolean;
  readonly onKeepSteps: (keepsSteps: boolean) => void;
}

/** The operations of the job in order, of which one is shown, and whether the result of each is kept. */
export function StepList(props: StepListProps) {
  const { steps, active, broken, onActivate, onRemove, onMove, keepsSteps, onKeepSteps } = props;
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
        items={steps.map(({ key, operation }, index) => ({
          key,
          name: operation.id,
          className: borderOf(index),
          content: (
            <button
              type="button"
              aria-current={index === active ? "step" : undefined}
              onClick={() => onActivate(index)}
              className="flex min-w-0 flex-1 items-baseline gap-2 rounded-sm px-1 py-1 text-left"
            >
              <span className="text-xs text-muted-foreground tabular-nums">{index + 1}</span>
              <span className="truncate font-mono text-sm">{operation.id}</span>
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
