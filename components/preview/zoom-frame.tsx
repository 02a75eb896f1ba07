"use client";

import { type ReactNode, useState } from "react";
import { cn } from "#components/class-names.ts";
import type { Size } from "./preview-file.ts";

const levels = ["fit", 1, 2, 4] as const;
type Level = (typeof levels)[number];

/** A checkerboard that shows through transparent parts. */
const checkerboard =
  "bg-[repeating-conic-gradient(var(--secondary)_0_25%,var(--card)_0_50%)] bg-[length:16px_16px]";

interface ZoomFrameProps {
  /** The image's size; undefined until it is known. */
  readonly size: Size | undefined;
  /** The accessible name. */
  readonly label: string;
  /** The image, which must fill its container. */
  readonly children: ReactNode;
  /** What is shown under the image, with the width of the image at level "fit". */
  readonly below?: ReactNode;
}

/** Shows an image at a selectable zoom level. Zoomed images scroll. */
export function ZoomFrame({ size, label, children, below }: ZoomFrameProps) {
  const [level, setLevel] = useState<Level>("fit");
  return (
    <div className="grid gap-2">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className={cn("max-h-[60vh] overflow-auto rounded-lg border", checkerboard)}
      >
        <div
          className={cn(
            "relative mx-auto",
            level !== "fit" && level > 1 && "[image-rendering:pixelated]",
          )}
          style={
            size
              ? { width: widthAt(level, size), aspectRatio: `${size.width} / ${size.height}` }
              : {}
          }
        >
          {children}
        </div>
      </section>
      {size && below && (
        <div className="mx-auto" style={{ width: widthAt("fit", size) }}>
          {below}
        </div>
      )}
      {size && (
        <fieldset className="flex items-center gap-1 text-xs">
          <legend className="sr-only">Zoom</legend>
          {levels.map((option) => (
            <button
              key={option}
              type="button"
              aria-pressed={option === level}
              onClick={() => setLevel(option)}
              className="rounded-sm px-2 py-1 text-muted-foreground tabular-nums hover:bg-accent aria-pressed:bg-accent aria-pressed:text-foreground"
            >
              {option === "fit" ? "Fit" : `${option * 100}%`}
            </button>
          ))}
          <span className="ml-auto text-muted-foreground tabular-nums">
            {size.width} × {size.height}
          </span>
        </fieldset>
      )}
    </div>
  );
}

/** The minimum width of small images, in pixels. */
const minWidthPx = 160;

function widthAt(level: Level, { width, height }: Size): string {
  if (level !== "fit") return `${width * level}px`;
  return `min(100%, calc(60vh * ${width / height}), ${Math.max(width, minWidthPx)}px)`;
}
