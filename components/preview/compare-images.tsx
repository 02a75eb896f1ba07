"use client";

import { type PointerEvent, useCallback, useEffect, useState } from "react";
import { Slider } from "#components/ui/inputs/slider.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import { ImageView, PreviewImage } from "./image-view.tsx";
import type { PreviewFile } from "./preview-file.ts";
import { type Size, sizeOf } from "./preview-file.ts";
import { ZoomFrame } from "./zoom-frame.tsx";

interface CompareImagesProps {
  readonly before: PreviewFile;
  readonly after: PreviewFile;
}

/** Two images in one frame with a draggable divider, or each one separately. */
export function CompareImages({ before, after }: CompareImagesProps) {
  const [comparable, setComparable] = useState(true);
  const onMismatch = useCallback(() => setComparable(false), []);
  return (
    <Tabs defaultValue={comparable ? "compare" : "after"} key={String(comparable)}>
      <TabsList aria-label="Views">
        {comparable && <TabsTrigger value="compare">Compare</TabsTrigger>}
        <TabsTrigger value="after">Output</TabsTrigger>
        <TabsTrigger value="before">Input</TabsTrigger>
      </TabsList>
      {comparable && (
        <TabsContent value="compare">
          <CompareSlider before={before} after={after} onMismatch={onMismatch} />
        </TabsContent>
      )}
      <TabsContent value="after">
        <ImageView file={after} />
      </TabsContent>
      <TabsContent value="before">
        <ImageView file={before} />
      </TabsContent>
    </Tabs>
  );
}

/** The largest relative difference of the aspect ratios of two images that can be compared. */
const tolerance = 0.02;

interface CompareSliderProps extends CompareImagesProps {
  /**
   * The function that is called if one of the images cannot be shown, or if their aspect ratios
   * differ.
   */
  readonly onMismatch: () => void;
}

function CompareSlider({ before, after, onMismatch }: CompareSliderProps) {
  const [percent, setPercent] = useState(50);
  const [size, setSize] = useState<Size | undefined>(sizeOf(after));
  const [beforeSize, setBeforeSize] = useState<Size>();
  const differs = size && beforeSize && !haveSameAspectRatio(size, beforeSize);
  useEffect(() => {
    if (differs) onMismatch();
  }, [differs, onMismatch]);

  function moveDivider(event: PointerEvent<HTMLDivElement>) {
    if (event.buttons === 0) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPercent(Math.min(100, Math.max(0, (100 * (event.clientX - left)) / width)));
  }

  return (
    <ZoomFrame
      size={size}
      label={`${after.filename}, before and after`}
      below={
        <Slider
          aria-label="Visible part of the input, in percent"
          value={percent}
          onValueChange={setPercent}
        />
      }
    >
      <div
        className="absolute inset-0 cursor-ew-resize touch-pan-y select-none"
        onPointerDown={moveDivider}
        onPointerMove={moveDivider}
      >
        <PreviewImage
          file={after}
          alt="After"
          onSize={setSize}
          onFail={onMismatch}
          className="size-full object-contain"
        />
        <div className="absolute inset-0" style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}>
          <PreviewImage
            file={before}
            alt="Before"
            onSize={setBeforeSize}
            onFail={onMismatch}
            className="size-full object-contain"
          />
        </div>
        <div
          aria-hidden="true"
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-brand forced-color-adjust-none"
          style={{ left: `${percent}%` }}
        />
        <CornerLabel side="left">Input</CornerLabel>
        <CornerLabel side="right">Output</CornerLabel>
      </div>
    </ZoomFrame>
  );
}

function CornerLabel({ side, children }: { side: "left" | "right"; children: string }) {
  return (
    <span
      aria-hidden="true"
      className={`absolute top-2 ${side === "left" ? "left-2" : "right-2"} rounded-sm bg-black/70 px-1.5 py-0.5 text-xs text-white`}
    >
      {children}
    </span>
  );
}

function haveSameAspectRatio(one: Size, other: Size): boolean {
  const a = one.width / one.height;
  const b = other.width / other.height;
  return Math.abs(a - b) <= tolerance * Math.max(a, b);
}
