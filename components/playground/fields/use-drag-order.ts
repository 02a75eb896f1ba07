"use client";

import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useState } from "react";
import type { Move } from "./move-item.ts";

interface DragOrder {
  /** The move that releasing the pointer would make; undefined while nothing is dragged. */
  readonly move: Move | undefined;
  /** Starts to drag the item `index`; for its handle. */
  readonly start: (event: PointerEvent, index: number) => void;
}

/** Moves the items of a list by dragging with a mouse, a pen or a finger. Escape cancels. */
export function useDragOrder(
  list: RefObject<HTMLElement | null>,
  onMove: (from: number, to: number) => void,
): DragOrder {
  const [move, setMove] = useState<Move>();
  const isDragging = move !== undefined;
  const drag = useEffectEvent((event: globalThis.PointerEvent) => {
    const to = indexAt(list.current, event.clientY);
    if (move && to !== move.to) setMove({ from: move.from, to });
  });
  const end = useEffectEvent((event: Event) => {
    if (event instanceof KeyboardEvent && event.key !== "Escape") return;
    setMove(undefined);
    if (move && event.type === "pointerup") onMove(move.from, move.to);
  });
  useEffect(() => {
    if (!isDragging) return;
    const listening = new AbortController();
    const options = { signal: listening.signal };
    window.addEventListener("pointermove", drag, options);
    for (const type of ["pointerup", "pointercancel", "keydown"] as const) {
      window.addEventListener(type, end, options);
    }
    return () => listening.abort();
  }, [isDragging]);

  function start(event: PointerEvent, index: number) {
    if (event.button === 0) setMove({ from: index, to: index });
  }

  return { move, start };
}

/** The index of the item at the height `y` of the window: the first or last one outside the list. */
function indexAt(list: HTMLElement | null, y: number): number {
  const items = [...(list?.children ?? [])];
  const index = items.findIndex((item) => y < item.getBoundingClientRect().bottom);
  const found = index < 0 ? items.length - 1 : index;
  items[found]?.scrollIntoView({ block: "nearest" });
  return found;
}
