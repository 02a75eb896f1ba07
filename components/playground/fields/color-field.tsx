"use client";

import { Input } from "#components/ui/input.tsx";
import type { ControlProps } from "./control-props.ts";

/** A colour: picked, or written with its alpha, which the picker does not know. */
export function ColorField({ field, value, onChange, ...rest }: ControlProps) {
  const shown = value === "" ? (field.initial ?? "") : value;
  return (
    <div className="flex items-center gap-3">
      <input
        type="color"
        aria-label={`${field.name}, picked`}
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

/** `#rrggbb` of any colour that a parameter may have; black for what is none. */
function toOpaque(color: string): string {
  const [, digits = ""] = /^(?:#|0x)([0-9a-f]+)$/i.exec(color) ?? [];
  if (digits.length === 3) return `#${[...digits].map((digit) => digit + digit).join("")}`;
  return digits.length >= 6 ? `#${digits.slice(0, 6)}` : "#000000";
}
