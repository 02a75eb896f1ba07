"use client";

import { GripVerticalIcon, XIcon } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { cn } from "#components/class-names.ts";
import { Button } from "#components/ui/button.tsx";
import { type Move, targetIndex } from "./move-item.ts";
import { useDragOrder } from "./use-drag-order.ts";

/** An item of the list. */
interface OrderedItem {
  readonly key: number;
  /** Its name for screen readers. */
  readonly name: string;
  readonly className?: string | undefined;
  /** What is between the handle and the button that removes the item. */
  readonly content: ReactNode;
  /** What is on the lower edge of the item, such as a button that adds one after it. */
  readonly after?: ReactNode;
}

interface OrderedListProps {
  /** What the items are, for screen readers. */
  readonly label: string;
  /** What an item is: "position", "step". */
  readonly unit: string;
  readonly items: readonly OrderedItem[];
  readonly onMove: (from: number, to: number) => void;
  readonly onRemove: (index: number) => void;
  readonly className?: string;
}

/** Items in order. A handle moves each of them, by dragging or with the arrow keys. */
export function OrderedList(props: OrderedListProps) {
  const { label, unit, items, onMove, onRemove, className } = props;
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
    const item = items[from];
    if (!item || from === to) return;
    onMove(from, to);
    setFocused(to);
    setAnnounced(`${item.name}: ${unit} ${to + 1} of ${items.length}`);
  }

  function moveByKey(event: KeyboardEvent, index: number) {
    const to = targetIndex(event.key, index, items.length);
    if (to === undefined) return;
    event.preventDefault();
    move(index, to);
  }

  function remove(index: number) {
    onRemove(index);
    const rest = items.length - 1;
    if (rest > 0) setFocused(Math.min(index, rest - 1));
  }

  return (
    <>
      <p id={`${id}-hint`} className="sr-only">
        Press the arrow keys to change the position.
      </p>
      <p className="sr-only" aria-live="polite">
        {announced}
      </p>
      <ol ref={list} aria-label={label} className={cn("relative grid min-w-0 gap-1.5", className)}>
        {items.map(({ key, name, className: own, content, after }, index) => (
          <li
            key={key}
            className={cn(
              "relative flex min-w-0 items-center gap-2 rounded-lg border bg-card p-1.5 pr-2",
              own,
              drag.move?.from === index && "opacity-50",
              dropLine(drag.move, index),
            )}
          >
            <Button
              data-handle
              variant="ghost"
              size="icon-sm"
              aria-label={`Move ${name}, ${unit} ${index + 1} of ${items.length}`}
              aria-describedby={`${id}-hint`}
              onPointerDown={(event) => drag.start(event, index)}
              onKeyDown={(event) => moveByKey(event, index)}
              className="cursor-grab touch-none text-muted-foreground active:cursor-grabbing"
            >
              <GripVerticalIcon aria-hidden="true" />
            </Button>
            {content}
            <Button variant="ghost" size="icon-sm" onClick={() => remove(index)}>
              <XIcon />
              <span className="sr-only">Remove {name}</span>
            </Button>
            {after && (
              <span className="absolute inset-x-0 -bottom-5 z-10 flex h-5 justify-center">
                {after}
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** A line at the edge of the row that the dragged row would take the place of. */
function dropLine(move: Move | undefined, index: number): string {
  if (!move || move.to !== index || move.from === move.to) return "";
  return move.to < move.from
    ? "shadow-[inset_0_2px_0_0_var(--brand)]"
    : "shadow-[inset_0_-2px_0_0_var(--brand)]";
}
