"use client";

import { Slider as SliderPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "#components/class-names.ts";

type SliderProps = ComponentProps<typeof SliderPrimitive.Root> & {
  /** The names and texts of several thumbs. */
  readonly thumbs?: readonly { readonly label: string; readonly text: string }[];
};

/** A slider on a ruled track. Requires `aria-label`, `aria-labelledby` or `thumbs`. */
export function Slider({
  className,
  "aria-label": label,
  "aria-labelledby": labelledBy,
  "aria-valuetext": valueText,
  thumbs,
  ...props
}: SliderProps) {
  return (
    <SliderPrimitive.Root
      className={cn(
        "relative flex h-9 w-full touch-none items-center select-none data-disabled:opacity-50",
        className,
      )}
      {...props}
    >
      <SliderPrimitive.Track className="ruler relative h-4 w-full grow border-b border-input text-muted-foreground">
        <SliderPrimitive.Range className="absolute -bottom-px h-0.5 bg-brand forced-color-adjust-none" />
      </SliderPrimitive.Track>
      {(thumbs ?? [{ label, text: valueText }]).map((thumb, index) => (
        <SliderPrimitive.Thumb
          // biome-ignore lint/suspicious/noArrayIndexKey: a thumb has no other identity.
          key={index}
          aria-label={thumb.label}
          aria-labelledby={labelledBy}
          aria-valuetext={thumb.text}
          className="mt-3 block size-4 rounded-sm border-2 border-brand bg-background shadow-sm"
        />
      ))}
    </SliderPrimitive.Root>
  );
}
