"use client";

import { Suspense } from "react";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Switch } from "#components/ui/inputs/switch.tsx";
import { Textarea } from "#components/ui/inputs/textarea.tsx";
import { lazyPart } from "#components/ui/loading/lazy-part.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { FormField, NumberControl } from "../form/form-field.ts";
import { ChoiceField } from "./choice-field.tsx";
import { ColorField } from "./color-field.tsx";
import type { ControlProps } from "./control-props.ts";
import { NumberField } from "./number-field.tsx";
import { PositionField } from "./position-field.tsx";

// Few operations have one.
const RegionsField = lazyPart(() =>
  import("./regions-field.tsx").then((module) => module.RegionsField),
);

interface ParameterFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A parameter with its name, control, description and error. */
export function ParameterField({ field, value, error, onChange }: ParameterFieldProps) {
  return (
    <Field
      label={
        <>
          <span className="font-mono">{field.name}</span>
          {field.required && <span className="font-normal text-muted-foreground">required</span>}
        </>
      }
      hint={explain(field)}
      error={error}
    >
      {(control) => <ControlOf {...control} field={field} value={value} onChange={onChange} />}
    </Field>
  );
}

/** The control of the field. */
function ControlOf(props: ControlProps) {
  const { field, value, onChange, ...rest } = props;
  const { control } = field;
  switch (control.kind) {
    case "switch":
      return (
        <Switch
          {...rest}
          checked={(value === "" ? field.initial : value) === "true"}
          onCheckedChange={(checked) => onChange(String(checked))}
        />
      );
    case "choice":
      return <ChoiceField {...props} options={control.options.map(String)} />;
    case "position":
      return <PositionField {...props} options={control.options} />;
    case "number":
    case "slider":
    case "time":
      return <NumberField {...props} control={control} />;
    case "color":
      return <ColorField {...props} />;
    case "json":
      return <TextArea {...props} className="font-mono" />;
    case "textarea":
      return <TextArea {...props} />;
    case "region":
      return (
        <Suspense fallback={<Skeleton className="h-9 w-full" />}>
          <RegionsField {...props} />
        </Suspense>
      );
    case "secret":
    case "text":
      return (
        <Input
          {...rest}
          type={control.kind === "secret" ? "password" : "text"}
          value={value}
          placeholder={field.initial ?? ""}
          autoComplete={control.kind === "secret" ? "new-password" : "off"}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

function TextArea({
  field,
  value,
  onChange,
  className,
  ...rest
}: ControlProps & { className?: string }) {
  return (
    <Textarea
      {...rest}
      value={value}
      placeholder={field.initial ?? ""}
      onChange={(event) => onChange(event.target.value)}
      className={className}
    />
  );
}

/** The description, the bounds and the default. */
function explain({ description, control, initial }: FormField): string {
  const parts = [description];
  if ("unit" in control) parts.push(...describeBounds(control));
  if (initial !== null && initial !== "") parts.push(`Default ${initial}.`);
  return parts.join(" ");
}

function describeBounds({ kind, min, max, unit }: NumberControl): string[] {
  if (kind === "time") return ["Seconds, or as 0:01:30."];
  const suffix = unit === null ? "" : unit === "°" ? unit : ` ${unit}`;
  if (min !== null && max !== null) return [`${min} to ${max}${suffix}.`];
  if (min !== null) return [`At least ${min}${suffix}.`];
  return max === null ? [] : [`At most ${max}${suffix}.`];
}
