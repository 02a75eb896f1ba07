"use client";

import { FileIcon, GripVerticalIcon, LinkIcon, XIcon } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { cn } from "#components/class-names.ts";
import { formatBytes } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { type Source, sourceKey, sourceName } from "../form/source.ts";
import { type Move, moveItem, targetIndex } from "./move-item.ts";
import { Thumbnail } from "./thumbnail.tsx";
import { useDragOrder } from "./use-drag-order.ts";

interface SourceListProps {
  readonly sources: readonly Source[];
  readonly onChange: (change: (before: readonly Source[]) => readonly Source[]) => void;
}

/** Files in order. A handle moves each of them, by dragging or with the arrow keys. */
export function SourceList({ sources, onChange }: SourceListProps) {
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
    const source = sources[from];
    if (!source || from === to) return;
    onChange((before) => moveItem(before, from, to));
    setFocused(to);
    setAnnounced(`${sourceName(source)}: position ${to + 1} of ${sources.length}`);
  }

  function moveByKey(event: KeyboardEvent, index: number) {
    const to = targetIndex(event.key, index, sources.length);
    if (to === undefined) return;
    event.preventDefault();
    move(index, to);
  }

  function remove(index: number) {
    onChange((before) => before.filter((_, at) => at !== index));
    const rest = sources.length - 1;
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
      <ol
        ref={list}
        aria-label="Inputs in order"
        className="relative grid max-h-96 min-w-0 gap-1.5 overflow-y-auto"
      >
        {sources.map((source, index) => (
          <li
            key={sourceKey(source)}
            className={cn(
              "relative flex min-w-0 items-center gap-2 rounded-lg border bg-card p-1.5 pr-2",
              drag.move?.from === index && "opacity-50",
              dropLine(drag.move, index),
            )}
          >
            <Button
              data-handle
              variant="ghost"
              size="icon-sm"
              aria-label={`Move ${sourceName(source)}, position ${index + 1} of ${sources.length}`}
              aria-describedby={`${id}-hint`}
              onPointerDown={(event) => drag.start(event, index)}
              onKeyDown={(event) => moveByKey(event, index)}
              className="cursor-grab touch-none text-muted-foreground active:cursor-grabbing"
            >
              <GripVerticalIcon aria-hidden="true" />
            </Button>
            <span
              aria-hidden="true"
              className="w-5 shrink-0 text-right text-xs text-muted-foreground tabular-nums"
            >
              {index + 1}
            </span>
            <SourceRow source={source} />
            <Button variant="ghost" size="icon-sm" onClick={() => remove(index)}>
              <XIcon />
              <span className="sr-only">Remove {sourceName(source)}</span>
            </Button>
          </li>
        ))}
      </ol>
    </>
  );
}

function SourceRow({ source }: { source: Source }) {
  const isFile = source.kind === "file";
  const Icon = isFile ? FileIcon : LinkIcon;
  const icon = <Icon aria-hidden="true" className="size-4" />;
  return (
    <>
      {isFile ? (
        <Thumbnail file={source.file} fallback={icon} className="size-10" />
      ) : (
        <span className="grid size-10 shrink-0 place-items-center text-muted-foreground">
          {icon}
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm" title={sourceName(source)}>
          {sourceName(source)}
        </span>
        {isFile && (
          <span className="block text-xs text-muted-foreground">
            {formatBytes(source.file.size)}
          </span>
        )}
      </span>
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
