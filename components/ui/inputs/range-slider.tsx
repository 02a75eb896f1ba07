"use client";

import { Slider as SliderPrimitive } from "radix-ui";
import type { ComponentProps } from "react";

type RangeSliderProps = Omit<ComponentProps<typeof SliderPrimitive.Root>, "className"> & {
  /** The name and the text of each thumb. */
  readonly thumbs: readonly { readonly label: string; readonly text: string }[];
};

/** A slider with several thumbs on a ruled track. It looks like `Slider`, which has one and needs no library. */
export function RangeSlider({ thumbs, ...props }: RangeSliderProps) {
  return (
    <SliderPrimitive.Root
      className="relative flex h-9 w-full touch-none items-center select-none"
      {...props}
    >
      <SliderPrimitive.Track className="ruler relative h-4 w-full grow border-b border-input text-muted-foreground">
        <SliderPrimitive.Range className="absolute -bottom-px h-0.5 bg-brand forced-color-adjust-none" />
      </SliderPrimitive.Track>
      {thumbs.map(({ label, text }) => (
        <SliderPrimitive.Thumb
          key={label}
          aria-label={label}
          aria-valuetext={text}
          className="mt-3 block size-4 rounded-sm border-2 border-brand bg-background shadow-sm"
        />
      ))}
    </SliderPrimitive.Root>
  );
}
