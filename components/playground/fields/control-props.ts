import type { FormField } from "../form-field.ts";

/** What every control of a parameter is given. Values are text, as a form has them. */
export interface ControlProps {
  readonly field: FormField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Of the control itself, for its label. */
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}
