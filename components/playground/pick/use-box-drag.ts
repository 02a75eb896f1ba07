"use client";

import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useState } from "react";
import { type Box, boxBetween, dragBox, type Grip, type Point, type Size } from "./box.ts";

/** A smaller drawing, in pixels of the screen, is a click. */
const minDrawn = 5;

interface BoxDrag {
  readonly index: number;
  readonly grip: Grip | "draw";
  /** The boxes before the drag, to which Escape returns. */
  readonly before: readonly Box[];
  readonly from: Point;
}

interface UseBoxDragOptions {
  readonly stage: RefObject<HTMLElement | null>;
  /** The size of the picture. */
  readonly size: Size | undefined;
  readonly boxes: readonly Box[];
  readonly max: number;
  readonly onChange: (boxes: readonly Box[]) => void;
}

/** Draws, moves and resizes boxes with a mouse, a pen or a finger. */
export function useBoxDrag({ stage, size, boxes, max, onChange }: UseBoxDragOptions) {
  const [drag, setDrag] = useState<BoxDrag>();
  const isDragging = drag !== undefined;

  const move = useEffectEvent((event: globalThis.PointerEvent) => {
    if (!drag || !size) return;
    const to = pointIn(stage.current, event, size);
    const box = drag.before[drag.index];
    const by = { x: to.x - drag.from.x, y: to.y - drag.from.y };
    const next =
      drag.grip === "draw" || !box
        ? boxBetween(drag.from, to, size)
        : dragBox(box, drag.grip, by, size);
    onChange(drag.before.toSpliced(drag.index, 1, next));
  });
  const end = useEffectEvent((event: Event) => {
    if (event instanceof KeyboardEvent && event.key !== "Escape") return;
    setDrag(undefined);
    if (!drag) return;
    const drawn = boxes[drag.index];
    const isClick = drag.grip === "draw" && (!drawn || isTiny(drawn, stage.current, size));
    if (event.type !== "pointerup" || isClick) onChange(drag.before);
  });
  useEffect(() => {
    if (!isDragging) return;
    const listening = new AbortController();
    const options = { signal: listening.signal };
    window.addEventListener("pointermove", move, options);
    for (const type of ["pointerup", "pointercancel", "keydown"] as const) {
      window.addEventListener(type, end, options);
    }
    return () => listening.abort();
  }, [isDragging]);

  function start(event: PointerEvent, index: number, grip: BoxDrag["grip"]) {
    if (event.button !== 0 || !size) return;
    event.stopPropagation();
    const from = pointIn(stage.current, event, size);
    const box = boxes[index];
    // A box that is the whole picture cannot move, so that one is drawn in it.
    const isWhole = box?.width === size.width && box.height === size.height;
    setDrag({ index, grip: grip === "move" && isWhole ? "draw" : grip, before: boxes, from });
  }

  return {
    /** Starts to move or resize a box. */
    start,
    /** Starts to draw a box: a new one, or in place of the only one. */
    draw: (event: PointerEvent) => {
      const index = max === 1 ? 0 : boxes.length;
      if (index < max) start(event, index, "draw");
    },
  };
}

/** Where the pointer is, in pixels of the picture. */
function pointIn(
  stage: HTMLElement | null,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
  size: Size,
): Point {
  const { left, top, width, height } = stage?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
  return {
    x: ((clientX - left) / width) * size.width,
    y: ((clientY - top) / height) * size.height,
  };
}

function isTiny(box: Box, stage: HTMLElement | null, size: Size | undefined): boolean {
  const scale = (stage?.clientWidth ?? 0) / (size?.width ?? 1);
  return box.width * scale < minDrawn && box.height * scale < minDrawn;
}
