import { type ReactNode, useId } from "react";
import { InlineCode } from "#components/ui/inline-code.tsx";
import type { FileField } from "../form/form-field.ts";

interface FileFieldsetProps {
  readonly field: FileField;
  readonly legend: ReactNode;
  /** How many files, such as "required". */
  readonly count: string;
  readonly error: string | undefined;
  /** `note` is the id of the error, for the field's controls. */
  readonly children: (note: string | undefined) => ReactNode;
}

/** The frame of a file field: its name, its description and its error. */
export function FileFieldset({ field, legend, count, error, children }: FileFieldsetProps) {
  const id = useId();
  const note = error ? `${id}-error` : undefined;
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby={note}>
      <legend className="mb-2 flex items-center gap-2 text-sm leading-none font-medium">
        {legend}
        <span className="font-normal text-muted-foreground">{count}</span>
      </legend>
      {children(note)}
      {field.description && <p className="text-sm text-muted-foreground">{field.description}</p>}
      {error && (
        <p id={note} role="alert" className="text-sm text-destructive">
          <InlineCode text={error} />
        </p>
      )}
    </fieldset>
  );
}
