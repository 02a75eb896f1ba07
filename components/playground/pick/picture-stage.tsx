"use client";

import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { cn } from "#components/class-names.ts";
import { Slider } from "#components/ui/inputs/slider.tsx";
import { formatSeconds } from "../form/number-text.ts";
import { type Box, boxAfterKey, edgeGrips, formatBox, type Grip, type Size } from "./box.ts";
import { type FormMedia, useFormMedia } from "./form-media.tsx";
import { Picture } from "./picture.tsx";
import { useBoxDrag } from "./use-box-drag.ts";

interface PictureStageProps {
  readonly boxes: readonly Box[];
  readonly max: number;
  /** What a box is called, such as "Region". */
  readonly name: string;
  readonly onChange: (boxes: readonly Box[]) => void;
  /** Reports the size of the picture; undefined while there is none. */
  readonly onSize: (size: Size | undefined) => void;
}

/** The chosen picture, or a frame of the chosen video, on which boxes are drawn. Nothing without a picture. */
export function PictureStage(props: PictureStageProps) {
  const media = useFormMedia();
  if (!media || media.kind === "audio") return null;
  return <Stage key={media.url} media={media} {...props} />;
}

function Stage(props: PictureStageProps & { readonly media: FormMedia }) {
  const { media, boxes, max, name, onChange, onSize } = props;
  const id = useId();
  const stage = useRef<HTMLFieldSetElement>(null);
  const [size, setSize] = useState<Size | "failed">();
  const [time, setTime] = useState(0);
  const [duration, setDuration] = useState(0);
  const known = size === "failed" ? undefined : size;
  const drag = useBoxDrag({ stage, size: known, boxes, max, onChange });
  useEffect(() => {
    onSize(known);
    return () => onSize(undefined);
  }, [known, onSize]);
  if (size === "failed") return null;

  function changeByKey(event: KeyboardEvent, box: Box, index: number) {
    const isRemoval = event.key === "Delete" || event.key === "Backspace";
    const next = known && boxAfterKey(box, event.key, event.shiftKey, known);
    if (!isRemoval && !next) return;
    event.preventDefault();
    onChange(next ? boxes.toSpliced(index, 1, next) : boxes.toSpliced(index, 1));
    if (isRemoval) stage.current?.focus();
  }

  return (
    <div className="grid gap-2">
      <p id={`${id}-hint`} className="sr-only">
        Press the arrow keys to move it, with Shift to change its size, and Delete to remove it.
      </p>
      <fieldset
        ref={stage}
        tabIndex={-1}
        aria-label={`Picture to draw ${max === 1 ? "the box" : "boxes"} on`}
        onPointerDown={drag.draw}
        className="relative mx-auto w-fit min-w-0 touch-none cursor-crosshair overflow-hidden rounded-md border bg-secondary select-none"
      >
        <Picture media={media} time={time} onSize={setSize} onDuration={setDuration} />
        {known &&
          boxes.map((box, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a box has no other identity.
              key={index}
              type="button"
              aria-label={`${name}${max === 1 ? "" : ` ${index + 1}`}: ${formatBox(box)}`}
              aria-describedby={`${id}-hint`}
              onPointerDown={(event) => drag.start(event, index, "move")}
              onKeyDown={(event) => changeByKey(event, box, index)}
              style={positionOf(box, known)}
              className={cn(
                "absolute cursor-move touch-none border-2 border-brand ring-1 ring-white",
                max === 1 ? "shadow-[0_0_0_9999px_rgb(0_0_0/0.5)]" : "bg-brand/25",
              )}
            >
              {max > 1 && (
                <span className="absolute top-0 left-0 rounded-br-sm bg-black/75 px-1 text-xs text-white">
                  {index + 1}
                </span>
              )}
              {edgeGrips.map((grip) => (
                <Handle
                  key={grip}
                  grip={grip}
                  onPointerDown={(event) => drag.start(event, index, grip)}
                />
              ))}
            </button>
          ))}
      </fieldset>
      {known && duration > 0 && (
        <Slider
          aria-label="Frame to draw on"
          aria-valuetext={formatSeconds(time)}
          max={duration}
          step={duration / 200}
          value={time}
          onValueChange={setTime}
        />
      )}
    </div>
  );
}

interface HandleProps {
  readonly grip: Exclude<Grip, "move">;
  readonly onPointerDown: (event: PointerEvent) => void;
}

/** An edge or a corner, for pointers only: a finger needs more room than it shows. The whole edge can be dragged. */
function Handle({ grip, onPointerDown }: HandleProps) {
  const isCorner = grip.length === 2;
  const isUpright = grip === "w" || grip === "e";
  return (
    <span
      aria-hidden="true"
      onPointerDown={onPointerDown}
      style={{
        left: grip.includes("w") ? "0%" : grip.includes("e") ? "100%" : "50%",
        top: grip.startsWith("n") ? "0%" : grip.startsWith("s") ? "100%" : "50%",
        cursor: `${grip}-resize`,
      }}
      className={cn(
        "absolute grid -translate-1/2 touch-none place-items-center",
        isCorner && "z-10 size-8",
        !isCorner && (isUpright ? "h-full w-5" : "h-5 w-full"),
      )}
    >
      <span className="size-2.5 rounded-xs border border-white bg-brand forced-color-adjust-none" />
    </span>
  );
}

function positionOf(box: Box, { width, height }: Size) {
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  return {
    left: percent(box.left, width),
    top: percent(box.top, height),
    width: percent(box.width, width),
    height: percent(box.height, height),
  };
}
