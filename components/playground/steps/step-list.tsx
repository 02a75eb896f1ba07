"use client";

import { GripVerticalIcon, XIcon } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { cn } from "#components/class-names.ts";
import { Button } from "#components/ui/button.tsx";
import { targetIndex } from "../fields/move-item.ts";
import { useDragOrder } from "../fields/use-drag-order.ts";
import type { Step } from "./step.ts";

interface StepListProps {
  readonly steps: readonly Step[];
  readonly active: number;
  /** The index of a step that does not take the output of the one before. */
  readonly broken: number | undefined;
  readonly onActivate: (index: number) => void;
  readonly onRemove: (index: number) => void;
  readonly onMove: (from: number, to: number) => void;
}

/** The operations of the job in order. A handle moves each of them, by dragging or with the arrow keys. */
export function StepList(props: StepListProps) {
  const { steps, active, broken, onActivate, onRemove, onMove } = props;
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const [announced, setAnnounced] = useState("");
  const [focused, setFocused] = useState<number>();
  const drag = useDragOrder(list, move);

  // The browser takes the focus from an element that moves in the page.
  useEffect(() => {
    if (focused === undefined) return;
    list.current?.querySelectorAll<HTMLElement>("[data-handle]")[focused]?.focus();
    setFocused(undefined);
  }, [focused]);

  function move(from: number, to: number) {
    const step = steps[from];
    if (!step || from === to) return;
    onMove(from, to);
    setFocused(to);
    setAnnounced(`${step.operation.id}: step ${to + 1} of ${steps.length}`);
  }

  function moveByKey(event: KeyboardEvent, index: number) {
    const to = targetIndex(event.key, index, steps.length);
    if (to === undefined) return;
    event.preventDefault();
    move(index, to);
  }

  return (
    <div className="grid min-w-0 gap-2">
      <p id={`${id}-hint`} className="sr-only">
        Press the arrow keys to change the position.
      </p>
      <p className="sr-only" aria-live="polite">
        {announced}
      </p>
      <ol ref={list} aria-label="Steps" className="relative grid min-w-0 gap-1.5">
        {steps.map(({ key, operation }, index) => (
          <li
            key={key}
            className={cn(
              "flex min-w-0 items-center gap-1 rounded-lg border bg-card p-1.5 pr-2",
              index === active && "border-brand",
              index === broken && "border-destructive",
              drag.move?.from === index && "opacity-50",
            )}
          >
            <Button
              data-handle
              variant="ghost"
              size="icon-sm"
              aria-label={`Move ${operation.id}, step ${index + 1} of ${steps.length}`}
              aria-describedby={`${id}-hint`}
              onPointerDown={(event) => drag.start(event, index)}
              onKeyDown={(event) => moveByKey(event, index)}
              className="cursor-grab touch-none text-muted-foreground active:cursor-grabbing"
            >
              <GripVerticalIcon aria-hidden="true" />
            </Button>
            <button
              type="button"
              aria-current={index === active ? "step" : undefined}
              onClick={() => onActivate(index)}
              className="flex min-w-0 flex-1 items-baseline gap-2 rounded-sm px-1 py-1 text-left"
            >
              <span className="text-xs text-muted-foreground tabular-nums">{index + 1}</span>
              <span className="truncate font-mono text-sm">{operation.id}</span>
            </button>
            <Button variant="ghost" size="icon-sm" onClick={() => onRemove(index)}>
              <XIcon />
              <span className="sr-only">Remove {operation.id}</span>
            </Button>
          </li>
        ))}
      </ol>
    </div>
  );
}
