"use client";

import { PlusIcon, XIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { type Box, formatBox, middleBox, parseBoxes, type Size } from "../pick/box.ts";
import { PictureStage } from "../pick/picture-stage.tsx";
import type { ControlProps } from "./control-props.ts";

const sides = ["left", "top", "width", "height"] as const;

/** The largest number of regions that a request may have. */
const maxRegions = 100;

/** Regions of a picture: drawn on it, and as numbers. */
export function RegionsField({ field, value, onChange, ...rest }: ControlProps) {
  const [size, setSize] = useState<Size>();
  const boxes = parseBoxes(value);
  const setBoxes = (next: readonly Box[]) => onChange(formatRegions(next));

  function change(index: number, side: (typeof sides)[number], text: string) {
    const box = boxes[index];
    const number = Math.max(0, Math.round(Number(text)));
    if (box && Number.isFinite(number))
      setBoxes(boxes.toSpliced(index, 1, { ...box, [side]: number }));
  }

  return (
    <fieldset {...rest} aria-label={field.name} className="grid min-w-0 gap-3">
      <PictureStage
        boxes={boxes}
        max={maxRegions}
        name="Region"
        onChange={setBoxes}
        onSize={setSize}
      />
      {size && (
        <p className="text-sm text-muted-foreground">
          Draw regions on the picture of {size.width} × {size.height} pixels, or add them as
          numbers.
        </p>
      )}
      {boxes.length > 0 && (
        <ol className="grid gap-2">
          {boxes.map((box, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a region has no other identity.
            <li key={index} className="flex items-end gap-1.5">
              <span aria-hidden="true" className="w-4 pb-2 text-xs text-muted-foreground">
                {index + 1}
              </span>
              {sides.map((side) => (
                <span
                  key={side}
                  className="grid min-w-0 flex-1 gap-1 text-xs text-muted-foreground"
                >
                  <span aria-hidden="true">{side}</span>
                  <Input
                    type="number"
                    inputMode="numeric"
                    min={0}
                    aria-label={`Region ${index + 1}, ${side}`}
                    value={box[side]}
                    onChange={({ target }) => change(index, side, target.value)}
                    className="px-2 text-foreground tabular-nums"
                  />
                </span>
              ))}
              <Button
                variant="ghost"
                size="icon-sm"
                className="mb-0.5"
                onClick={() => setBoxes(boxes.toSpliced(index, 1))}
              >
                <XIcon aria-hidden="true" />
                <span className="sr-only">Remove region {index + 1}</span>
              </Button>
            </li>
          ))}
        </ol>
      )}
      <Button
        variant="outline"
        size="sm"
        className="w-fit"
        disabled={boxes.length >= maxRegions}
        onClick={() => setBoxes([...boxes, middleBox(size ?? { width: 200, height: 200 })])}
      >
        <PlusIcon aria-hidden="true" />
        Add region
      </Button>
    </fieldset>
  );
}

/** The value of the field: one region as text, several as a JSON list; empty without regions. */
function formatRegions(boxes: readonly Box[]): string {
  const [first, ...others] = boxes.map(formatBox);
  return first === undefined
    ? ""
    : others.length === 0
      ? first
      : JSON.stringify([first, ...others]);
}
