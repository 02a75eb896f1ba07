"use client";

import { Fragment, Suspense } from "react";
import { isPressed } from "#components/ui/inputs/is-pressed.ts";
import { lazyPart } from "#components/ui/loading/lazy-part.tsx";
import { ParameterField } from "./fields/parameter-field.tsx";
import type { FormOperation, FormValues } from "./form/form-field.ts";
import { shownFields } from "./form/raw-field.ts";
import type { Sources } from "./form/source.ts";
import { hasCropBox } from "./pick/crop-fields.ts";
import { findTimeFields } from "./pick/time-range.ts";

// Few operations have one of them.
const CropPicker = lazyPart(() =>
  import("./pick/crop-picker.tsx").then((module) => module.CropPicker),
);
const TimePicker = lazyPart(() =>
  import("./pick/time-picker.tsx").then((module) => module.TimePicker),
);

interface FormParametersProps {
  readonly operation: FormOperation;
  readonly values: FormValues;
  readonly sources: Sources;
  /** Whether the box of a crop is drawn on the live preview, and not here. */
  readonly isPickedLive: boolean;
  readonly errorOf: (name: string) => string | undefined;
  readonly onChange: (name: string, value: string) => void;
  /** The function that is called with the parameter whose field has lost the focus. */
  readonly onLeave: (name: string) => void;
}

/** The parameters of an operation. Boxes and times can also be picked on the input. */
export function FormParameters(props: FormParametersProps) {
  const { operation, values, sources, isPickedLive, errorOf, onChange, onLeave } = props;
  const isInUse = (name: string) => Boolean(values[name]) || errorOf(name) !== undefined;
  const fields = shownFields(operation.fields, sources, isInUse);
  const times = findTimeFields(fields);
  return fields.map((field) => (
    <Fragment key={`${operation.id} ${field.name}`}>
      {field.name === "left" && !isPickedLive && hasCropBox(fields) && (
        <Suspense>
          <CropPicker values={values} onChange={onChange} />
        </Suspense>
      )}
      {field.name === times?.start && (
        <Suspense>
          <TimePicker names={times} fields={fields} values={values} onChange={onChange} />
        </Suspense>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only hears of its field. */}
      <div
        className="grid min-w-0"
        onBlur={({ relatedTarget }) => {
          if (!isPressed(relatedTarget)) onLeave(field.name);
        }}
      >
        <ParameterField
          field={field}
          value={values[field.name] ?? ""}
          error={errorOf(field.name)}
          onChange={(value) => onChange(field.name, value)}
        />
      </div>
    </Fragment>
  ));
}
