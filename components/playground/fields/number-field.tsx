"use client";

import { TimerIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Slider } from "#components/ui/inputs/slider.tsx";
import type { NumberControl } from "../form/form-field.ts";
import { formatSeconds, parseSeconds, stepOf } from "../form/number-text.ts";
import { useFormMedia } from "../pick/form-media.tsx";
import { isTimeInInput, toText } from "../pick/time-range.ts";
import type { ControlProps } from "./control-props.ts";

type NumberFieldProps = ControlProps & { readonly control: NumberControl };

/** A number to type, with a slider if the control is one. */
export function NumberField({ control, field, value, onChange, ...rest }: NumberFieldProps) {
  const { kind, min, max, integer, unit } = control;
  const current = Number(value === "" ? (field.initial ?? min ?? 0) : value);
  return (
    <div className="flex items-center gap-3">
      {kind === "slider" && (
        <Slider
          aria-label={field.name}
          min={min ?? 0}
          max={max ?? 0}
          step={stepOf(control)}
          value={clamp(current, control)}
          onValueChange={(next) => onChange(String(next))}
          className="min-w-0 flex-1"
        />
      )}
      {kind === "time" ? (
        <>
          <TimeInput value={value} initial={field.initial} onChange={onChange} {...rest} />
          {isTimeInInput(field) && <CurrentTimeButton name={field.name} onChange={onChange} />}
        </>
      ) : (
        <Input
          {...rest}
          type="number"
          inputMode={integer ? "numeric" : "decimal"}
          step={integer ? 1 : "any"}
          {...(min === null ? {} : { min })}
          {...(max === null ? {} : { max })}
          value={value}
          placeholder={field.initial ?? "auto"}
          onChange={(event) => onChange(event.target.value)}
          className="w-28 shrink-0 tabular-nums"
        />
      )}
      {unit !== null && kind !== "time" && (
        <span aria-hidden="true" className="shrink-0 text-sm text-muted-foreground">
          {unit}
        </span>
      )}
    </div>
  );
}

/** Takes the time at which the player is. Only shown with a player. */
function CurrentTimeButton({ name, onChange }: Pick<ControlProps, "onChange"> & { name: string }) {
  const media = useFormMedia();
  if (!media || media.kind === "image") return null;
  return (
    <Button
      variant="outline"
      size="sm"
      onClick={() => onChange(toText(media.player.current?.currentTime ?? 0))}
    >
      <TimerIcon aria-hidden="true" />
      Current time
      <span className="sr-only"> as {name}</span>
    </Button>
  );
}

function clamp(value: number, { min, max }: NumberControl): number {
  const known = Number.isFinite(value) ? value : 0;
  return Math.min(max ?? known, Math.max(min ?? known, known));
}

type TimeInputProps = Omit<ControlProps, "field"> & { readonly initial: string | null };

/** A time as `1:30`. Text that is not a time is sent as it is, and the service reports the error. */
function TimeInput({ value, initial, onChange, ...rest }: TimeInputProps) {
  const [typed, setTyped] = useState<string>();
  const seconds = Number(value);
  const shown = value !== "" && Number.isFinite(seconds) ? formatSeconds(seconds) : value;
  return (
    <Input
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? shown}
      placeholder={initial === null ? "auto" : formatSeconds(Number(initial))}
      onChange={({ target }) => {
        setTyped(target.value);
        const parsed = parseSeconds(target.value);
        onChange(parsed === undefined ? target.value : String(parsed));
      }}
      onBlur={() => setTyped(undefined)}
      className="w-28 shrink-0 tabular-nums"
    />
  );
}
