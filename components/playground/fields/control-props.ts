import type { FormField } from "../form/form-field.ts";

/** The props of every control. Values are text. */
export interface ControlProps {
  readonly field: FormField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The id of the control, for its label. */
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}
