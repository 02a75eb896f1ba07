"use client";

import { type ReactNode, useState } from "react";
import { cn } from "#components/class-names.ts";
import type { Size } from "./image-view.tsx";

const levels = ["fit", 1, 2, 4] as const;
type Level = (typeof levels)[number];

/** Where alpha lets it through, the ground is seen to be none of the picture. */
const checkers =
  "bg-[repeating-conic-gradient(var(--secondary)_0_25%,var(--card)_0_50%)] bg-[length:16px_16px]";

interface ZoomFrameProps {
  /** Of the picture; undefined until it is known. */
  readonly size: Size | undefined;
  /** What is looked at, for screen readers. */
  readonly label: string;
  /** Fills the frame that it is given. */
  readonly children: ReactNode;
  /** Stands under the picture, as wide as it is when it is whole. */
  readonly below?: ReactNode;
}

/** Shows a picture whole, or at its own size and larger, and then scrolls. */
export function ZoomFrame({ size, label, children, below }: ZoomFrameProps) {
  const [level, setLevel] = useState<Level>("fit");
  return (
    <div className="grid gap-2">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className={cn("max-h-[60vh] overflow-auto rounded-lg border", checkers)}
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
          {levels.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === level}
              onClick={() => setLevel(one)}
              className="rounded-sm px-2 py-1 text-muted-foreground tabular-nums hover:bg-accent aria-pressed:bg-accent aria-pressed:text-foreground"
            >
              {one === "fit" ? "Fit" : `${one * 100} %`}
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

/** The smallest width at which a small picture is still seen, in pixels. */
const smallestPx = 160;

function widthAt(level: Level, { width, height }: Size): string {
  if (level !== "fit") return `${width * level}px`;
  return `min(100%, calc(60vh * ${width / height}), ${Math.max(width, smallestPx)}px)`;
}
