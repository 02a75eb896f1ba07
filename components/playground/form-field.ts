/** How a parameter is entered. Bounds are inclusive; times in seconds. */
export type Control =
  | { readonly kind: "switch" }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  /** One of nine places in a frame, row by row from the top left. */
  | { readonly kind: "position"; readonly options: readonly string[] }
  | NumberControl
  | { readonly kind: "color" }
  | { readonly kind: "text"; readonly long: boolean; readonly maxLength: number | null }
  /** Lists, objects, and whatever no other control is for. */
  | { readonly kind: "json" };

export interface NumberControl {
  readonly kind: "number" | "time";
  readonly min: number | null;
  readonly max: number | null;
  readonly integer: boolean;
}

/** A parameter of an operation as a form shows it. */
export interface FormField {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** As a form has it, text; null where there is none. */
  readonly initial: string | null;
  readonly control: Control;
}

/** A file of an operation as a form shows it. */
export interface FileField {
  /** `file`, or the name of a further part. */
  readonly part: string;
  readonly description: string;
  readonly required: boolean;
  /** For a person: "JPEG, PNG or WebP". */
  readonly types: string;
  /** For the browser's file dialogue: `.jpg,image/jpeg,…`; empty for any. */
  readonly accept: string;
  /** Small files of ours to try it with. */
  readonly samples: readonly SampleFile[];
}

export interface SampleFile {
  readonly name: string;
  readonly url: string;
}

/** An operation as the playground shows it; plain JSON. */
export interface FormOperation {
  readonly id: string;
  readonly group: string;
  readonly summary: string;
  readonly files: readonly FileField[];
  readonly fields: readonly FormField[];
  /** Values that show what it does, by field, as a form has them. */
  readonly example: Readonly<Record<string, string>>;
}
