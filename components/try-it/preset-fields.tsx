"use client";

import { useId, useState } from "react";
import { isAllowedValue } from "#components/playground/form/check-value.ts";
import type { FormField, FormValues } from "#components/playground/form/form-field.ts";
import { fieldLabel } from "#components/playground/form/plain-message.ts";
import { Input } from "#components/ui/inputs/input.tsx";
import { isPressed } from "#components/ui/inputs/is-pressed.ts";
import { Select } from "#components/ui/inputs/select.tsx";

interface PresetFieldsProps {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly onChange: (name: string, value: string) => void;
}

/** The one or two values of an operation that people change most. */
export function PresetFields({ fields, values, onChange }: PresetFieldsProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      {fields.map((field) => (
        <PresetField
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </div>
  );
}

interface PresetFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function PresetField({ field, value, onChange }: PresetFieldProps) {
  const id = useId();
  const [isLeft, setLeft] = useState(false);
  const { control } = field;
  const message = isLeft ? presetProblem(field, value) : undefined;
  const note = message === undefined ? undefined : `${id}-error`;
  const common = { id, value, "aria-invalid": message !== undefined, "aria-describedby": note };
  const unit = "unit" in control && control.unit !== null ? ` (${control.unit})` : "";
  return (
    <div className="grid gap-1.5 text-sm">
      <label htmlFor={id} className="font-medium">
        {fieldLabel(field.name)}
        <span className="font-normal text-muted-foreground">{unit}</span>
      </label>
      {control.kind === "choice" ? (
        <Select {...common} onChange={({ target }) => onChange(target.value)} className="w-auto">
          {control.options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </Select>
      ) : (
        <Input
          {...common}
          inputMode={"integer" in control ? (control.integer ? "numeric" : "decimal") : "text"}
          autoComplete="off"
          onChange={({ target }) => {
            setLeft(false);
            onChange(target.value);
          }}
          onBlur={({ relatedTarget }) => setLeft(!isPressed(relatedTarget))}
          className={"integer" in control ? "w-28 tabular-nums" : "w-56"}
        />
      )}
      {message !== undefined && (
        <p id={note} role="alert" className="max-w-64 text-xs text-destructive">
          {message}
        </p>
      )}
    </div>
  );
}

/** What is wrong with a value; undefined if it is allowed. */
export function presetProblem(field: FormField, value: string): string | undefined {
  if (value.trim() !== "" && isAllowedValue(field.rule, value)) return undefined;
  return `${fieldLabel(field.name)} must be ${field.allowed.replace("an integer", "a whole number")}.`;
}
