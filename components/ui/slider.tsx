"use client";

import { Slider as SliderPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";

/** A slider on a ruled track. Requires `aria-label` or `aria-labelledby`. */
export function Slider({
  className,
  "aria-label": label,
  "aria-labelledby": labelledBy,
  ...props
}: ComponentProps<typeof SliderPrimitive.Root>) {
  return (
    <SliderPrimitive.Root
      className={cn(
        "relative flex h-9 w-full touch-none items-center select-none data-disabled:opacity-50",
        className,
      )}
      {...props}
    >
      <SliderPrimitive.Track className="ruler relative h-4 w-full grow border-b border-input text-muted-foreground">
        <SliderPrimitive.Range className="absolute -bottom-px h-0.5 bg-brand" />
      </SliderPrimitive.Track>
      <SliderPrimitive.Thumb
        aria-label={label}
        aria-labelledby={labelledBy}
        className="mt-3 block size-4 rounded-sm border-2 border-brand bg-background shadow-sm"
      />
    </SliderPrimitive.Root>
  );
}
