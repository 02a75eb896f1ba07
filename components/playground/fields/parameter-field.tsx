"use client";

import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Switch } from "#components/ui/switch.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { FormField } from "../form-field.ts";
import { ChoiceField } from "./choice-field.tsx";
import { ColorField } from "./color-field.tsx";
import type { ControlProps } from "./control-props.ts";
import { NumberField } from "./number-field.tsx";
import { PositionField } from "./position-field.tsx";

interface ParameterFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A parameter with its name, what it means and what is wrong with it. */
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
      {(control) => <Choose {...control} field={field} value={value} onChange={onChange} />}
    </Field>
  );
}

/** The control that the field's kind asks for. */
function Choose(props: ControlProps) {
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
      return <ChoiceField {...props} options={control.options} />;
    case "position":
      return <PositionField {...props} options={control.options} />;
    case "number":
    case "time":
      return <NumberField {...props} control={control} />;
    case "color":
      return <ColorField {...props} />;
    case "json":
      return <TextArea {...props} className="font-mono" />;
    case "text":
      if (control.long) return <TextArea {...props} />;
      return (
        <Input
          {...rest}
          value={value}
          placeholder={field.initial ?? ""}
          autoComplete="off"
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

/** What it means, what it may be and what it is by itself. */
function explain({ description, control, initial }: FormField): string {
  const parts = [description];
  if (control.kind === "number" || control.kind === "time") {
    const { min, max } = control;
    if (min !== null && max !== null) parts.push(`${min} to ${max}.`);
    else if (min !== null) parts.push(`At least ${min}.`);
    else if (max !== null) parts.push(`At most ${max}.`);
  }
  if (initial !== null && initial !== "") parts.push(`Default ${initial}.`);
  return parts.join(" ");
}
