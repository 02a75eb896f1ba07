"use client";

import { PlayIcon } from "lucide-react";
import { type SyntheticEvent, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { RangeSlider } from "#components/ui/inputs/range-slider.tsx";
import type { FormField, FormValues } from "../form/form-field.ts";
import { formatSeconds } from "../form/number-text.ts";
import { type FormMedia, useFormMedia } from "./form-media.tsx";
import { readRange, type TimeFields, type TimeRange, toText, writeRange } from "./time-range.ts";

interface TimePickerProps {
  readonly names: TimeFields;
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly onChange: (name: string, value: string) => void;
}

/** The chosen video or audio as a player, with a slider for a time or for a part. Nothing without it. */
export function TimePicker(props: TimePickerProps) {
  const media = useFormMedia();
  if (!media || media.kind === "image") return null;
  return <Picker key={media.url} media={media} {...props} />;
}

function Picker(props: TimePickerProps & { readonly media: FormMedia }) {
  const { media, names, fields, values, onChange } = props;
  const [length, setLength] = useState<number | "failed">(0);
  const until = useRef<number>(undefined);
  if (length === "failed") return null;
  const range = readRange(names, fields, values, length);
  const isPart = names.end !== undefined || names.duration !== undefined;

  function seek(seconds: number) {
    if (media.player.current) media.player.current.currentTime = seconds;
  }

  function choose([start = 0, end = start]: number[]) {
    if (isPart) {
      for (const [name, value] of Object.entries(writeRange(names, { start, end }))) {
        onChange(name, value);
      }
    } else {
      onChange(names.start, toText(start));
    }
    seek(start === range.start && isPart ? end : start);
  }

  function playPart() {
    until.current = range.end;
    seek(range.start);
    // The browser may refuse to play; the controls of the player then still work.
    media.player.current?.play().catch(() => undefined);
  }

  function stopAtEnd({ currentTarget }: SyntheticEvent<HTMLMediaElement>) {
    if (until.current === undefined || currentTarget.currentTime < until.current) return;
    currentTarget.pause();
    until.current = undefined;
  }

  return (
    <div className="grid gap-2 rounded-lg border bg-card p-3">
      <Player
        media={media}
        onLength={setLength}
        onTime={stopAtEnd}
        onFail={() => setLength("failed")}
      />
      {length > 0 && (
        <>
          <RangeSlider
            max={length}
            step={length > 600 ? 0.1 : 0.01}
            value={isPart ? [range.start, range.end] : [range.start]}
            thumbs={thumbsOf(range, isPart, names)}
            onValueChange={choose}
          />
          <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-muted-foreground">
            <p className="tabular-nums">{describeRange(range, isPart)}</p>
            {isPart && (
              <Button variant="ghost" size="sm" onClick={playPart}>
                <PlayIcon aria-hidden="true" />
                Play this part
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  );
}

function thumbsOf({ start, end }: TimeRange, isPart: boolean, names: TimeFields) {
  const first = { label: `Pick ${names.start}`, text: formatSeconds(start) };
  return isPart ? [first, { label: "Pick end", text: formatSeconds(end) }] : [first];
}

function describeRange({ start, end }: TimeRange, isPart: boolean): string {
  if (!isPart) return formatSeconds(start);
  return `${formatSeconds(start)} to ${formatSeconds(end)}, ${toText(end - start)} s`;
}

interface PlayerProps {
  readonly media: FormMedia;
  readonly onLength: (seconds: number) => void;
  readonly onTime: (event: SyntheticEvent<HTMLMediaElement>) => void;
  readonly onFail: () => void;
}

function Player({ media, onLength, onTime, onFail }: PlayerProps) {
  const props = {
    ref: (element: HTMLMediaElement | null) => {
      media.player.current = element;
    },
    src: media.url,
    controls: true,
    preload: "metadata",
    "aria-label": "Player to pick a time",
    onTimeUpdate: onTime,
    onError: onFail,
    onLoadedMetadata: ({ currentTarget: { duration } }: SyntheticEvent<HTMLMediaElement>) =>
      onLength(Number.isFinite(duration) ? duration : 0),
  } as const;
  if (media.kind === "audio") {
    return <audio {...props} className="w-full" />;
  }
  return <video {...props} playsInline className="max-h-[40vh] w-full rounded-md bg-black" />;
}
