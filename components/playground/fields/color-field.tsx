"use client";

import { Input } from "#components/ui/inputs/input.tsx";
import type { ControlProps } from "./control-props.ts";

/** A color to pick, or to type with an alpha channel, which the picker does not support. */
export function ColorField({ field, value, onChange, ...rest }: ControlProps) {
  const shown = value === "" ? (field.initial ?? "") : value;
  return (
    <div className="flex items-center gap-3">
      <input
        type="color"
        aria-label={`${field.name}, color picker`}
        value={toOpaque(shown)}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-14 shrink-0 cursor-pointer rounded-md border border-input bg-card p-1"
      />
      <Input
        {...rest}
        value={value}
        placeholder={field.initial ?? "#rrggbb"}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        className="font-mono"
      />
    </div>
  );
}

/** A color of any of the allowed forms as `#rrggbb`; black if the text is not a color. */
function toOpaque(color: string): string {
  const [, digits = ""] = /^(?:#|0x)([0-9a-f]+)$/i.exec(color) ?? [];
  if (digits.length === 3) return `#${[...digits].map((digit) => digit + digit).join("")}`;
  return digits.length >= 6 ? `#${digits.slice(0, 6)}` : "#000000";
}
