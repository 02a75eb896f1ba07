"use client";

import { useState } from "react";
import { moveItem } from "../fields/move-item.ts";
import type { FormValues } from "../form/form-field.ts";
import { initialValues } from "../form/values.ts";
import { createStep, type Step } from "./step.ts";

export interface Steps {
  readonly list: readonly Step[];
  /** The index of the step whose form is shown. */
  readonly active: number;
  readonly activate: (index: number) => void;
  /** Changes the step that is shown. */
  readonly change: (change: (before: Step) => Step) => void;
  /** Adds a step before the index `at`, by default at the end, and shows it. `values` replace defaults. */
  readonly add: (operation: Step["operation"], values: FormValues, at?: number) => void;
  readonly remove: (index: number) => void;
  readonly move: (from: number, to: number) => void;
  readonly replace: (steps: readonly Step[]) => void;
}

/** The steps of the job that is built: at least one, of which one is shown, at first that with the index `shown`. */
export function useSteps(initial: () => readonly Step[], shown = 0): Steps {
  const [{ list, active }, setSteps] = useState(() => ({ list: initial(), active: shown }));
  const keyOfActive = list[active]?.key;
  /** The same step is shown, wherever it is now. */
  const setList = (next: readonly Step[], fallback: number) => {
    const index = next.findIndex(({ key }) => key === keyOfActive);
    setSteps({ list: next, active: index < 0 ? fallback : index });
  };
  return {
    list,
    active,
    activate: (index) =>
      setSteps((before) => ({ ...before, active: Math.min(index, before.list.length - 1) })),
    change: (change) =>
      setSteps((before) => ({
        ...before,
        list: before.list.map((step, index) => (index === before.active ? change(step) : step)),
      })),
    add: (operation, values, at = list.length) => {
      const added = createStep(operation, { ...initialValues(operation), ...values });
      setSteps({ list: list.toSpliced(at, 0, added), active: at });
    },
    remove: (index) =>
      setList(
        list.filter((_, at) => at !== index),
        Math.max(0, index - 1),
      ),
    move: (from, to) => setList(moveItem(list, from, to), 0),
    replace: (next) => setSteps({ list: next, active: 0 }),
  };
}
