"use client";

import { type PointerEvent, useCallback, useEffect, useState } from "react";
import { Slider } from "#components/ui/slider.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import { ImageView, Picture, type Size, sizeOf } from "./image-view.tsx";
import type { PreviewFile } from "./kind.ts";
import { ZoomFrame } from "./zoom-frame.tsx";

interface CompareImagesProps {
  readonly before: PreviewFile;
  readonly after: PreviewFile;
}

/** Two images in one frame with a line to drag between them, or each by itself. */
export function CompareImages({ before, after }: CompareImagesProps) {
  const [comparable, setComparable] = useState(true);
  const giveUp = useCallback(() => setComparable(false), []);
  return (
    <Tabs defaultValue={comparable ? "compare" : "after"} key={String(comparable)}>
      <TabsList aria-label="Views">
        {comparable && <TabsTrigger value="compare">Compare</TabsTrigger>}
        <TabsTrigger value="after">Output</TabsTrigger>
        <TabsTrigger value="before">Input</TabsTrigger>
      </TabsList>
      {comparable && (
        <TabsContent value="compare">
          <Curtain before={before} after={after} onMismatch={giveUp} />
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

/** How far two proportions may lie apart and still be the same picture. */
const tolerance = 0.02;

interface CurtainProps extends CompareImagesProps {
  /** One of the two cannot be shown, or their proportions differ. */
  readonly onMismatch: () => void;
}

function Curtain({ before, after, onMismatch }: CurtainProps) {
  const [percent, setPercent] = useState(50);
  const [size, setSize] = useState<Size | undefined>(sizeOf(after));
  const [beforeSize, setBeforeSize] = useState<Size>();
  const differs = size && beforeSize && !areAlike(size, beforeSize);
  useEffect(() => {
    if (differs) onMismatch();
  }, [differs, onMismatch]);

  function follow(event: PointerEvent<HTMLDivElement>) {
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
          aria-label="How much of the input is shown, in percent"
          value={[percent]}
          onValueChange={([value = 50]) => setPercent(value)}
        />
      }
    >
      <div
        className="absolute inset-0 cursor-ew-resize touch-pan-y select-none"
        onPointerDown={follow}
        onPointerMove={follow}
      >
        <Picture
          file={after}
          alt="After"
          onSize={setSize}
          onFail={onMismatch}
          className="size-full object-contain"
        />
        <div className="absolute inset-0" style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}>
          <Picture
            file={before}
            alt="Before"
            onSize={setBeforeSize}
            onFail={onMismatch}
            className="size-full object-contain"
          />
        </div>
        <div
          aria-hidden="true"
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-brand"
          style={{ left: `${percent}%` }}
        />
        <Corner side="left">Input</Corner>
        <Corner side="right">Output</Corner>
      </div>
    </ZoomFrame>
  );
}

function Corner({ side, children }: { side: "left" | "right"; children: string }) {
  return (
    <span
      aria-hidden="true"
      className={`absolute top-2 ${side === "left" ? "left-2" : "right-2"} rounded-sm bg-black/70 px-1.5 py-0.5 text-xs text-white`}
    >
      {children}
    </span>
  );
}

function areAlike(one: Size, other: Size): boolean {
  const [a, b] = [one.width / one.height, other.width / other.height];
  return Math.abs(a - b) <= tolerance * Math.max(a, b);
}
