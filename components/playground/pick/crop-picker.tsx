"use client";

import { type ReactNode, useState } from "react";
import type { FormValues } from "../form/form-field.ts";
import type { Box, Size } from "./box.ts";
import { cropSides } from "./crop-fields.ts";
import { PictureStage } from "./picture-stage.tsx";

interface CropPickerProps {
  readonly values: FormValues;
  readonly onChange: (name: string, value: string) => void;
  /** What is shown instead of a picture that the browser cannot show. */
  readonly fallback?: ReactNode;
}

/** The box of `left`, `top`, `width` and `height` on the picture. Until there is one, it is the whole picture. */
export function CropPicker({ values, onChange, fallback }: CropPickerProps) {
  const [size, setSize] = useState<Size>();
  const box = size && (boxOf(values, size) ?? { left: 0, top: 0, ...size });

  function setBox([next]: readonly Box[]) {
    for (const side of cropSides) onChange(side, next ? String(next[side]) : "");
    // A ratio is an alternative to the box.
    if (next && values.ratio) onChange("ratio", "");
  }

  return (
    <div className="grid gap-2 empty:hidden">
      <PictureStage
        boxes={box ? [box] : []}
        max={1}
        name="Box"
        onChange={setBox}
        onSize={setSize}
      />
      {size ? (
        <p className="text-sm text-muted-foreground">
          Drag the edges of the box, or draw it on the picture of {size.width} × {size.height}{" "}
          pixels.
        </p>
      ) : (
        fallback
      )}
    </div>
  );
}

/** The box, as far as it is in the picture; undefined if it is not complete or outside. */
function boxOf(values: FormValues, size: Size): Box | undefined {
  const [left, top, width, height] = cropSides.map((side) => Number(values[side] || Number.NaN));
  const isComplete = [left, top, width, height].every(Number.isFinite);
  if (!isComplete || left === undefined || top === undefined || !width || !height) return undefined;
  if (left >= size.width || top >= size.height) return undefined;
  return {
    left,
    top,
    width: Math.min(width, size.width - left),
    height: Math.min(height, size.height - top),
  };
}
