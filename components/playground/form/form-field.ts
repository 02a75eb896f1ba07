import type { Unit } from "#lib/operations/parameter-schema.ts";
import type { ValueRule } from "./check-value.ts";

/** How a parameter is entered. */
export type Control =
  | { readonly kind: "switch" }
  | { readonly kind: "choice"; readonly options: readonly (string | number)[] }
  /** One of nine positions in a frame, row by row from the top left. */
  | { readonly kind: "position"; readonly options: readonly string[] }
  | NumberControl
  | { readonly kind: "color" | "text" | "textarea" | "secret" }
  /** Boxes in the picture: `left,top,width,height` in pixels, or a JSON list of them. */
  | { readonly kind: "region" }
  /** Arrays and objects, as JSON. */
  | { readonly kind: "json" };

/** A number. Bounds are inclusive; null where there is none. Times are in seconds. */
export interface NumberControl {
  readonly kind: "number" | "slider" | "time";
  readonly min: number | null;
  readonly max: number | null;
  readonly integer: boolean;
  readonly unit: Unit | null;
}

/** A parameter of an operation as a form shows it. */
export interface FormField {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The default as text; null if there is none. */
  readonly initial: string | null;
  readonly control: Control;
  readonly rule: ValueRule;
  /** The values that the rule allows, for people: "a number from 0.1 to 10". */
  readonly allowed: string;
  /** Its value is not shown, neither in the code of the request nor in the job. */
  readonly secret: boolean;
}

/** A file of an operation as a form shows it. */
export interface FileField {
  /** The name of the part: `file`, or that of a further part. */
  readonly part: string;
  readonly description: string;
  readonly required: boolean;
  /** How many files it takes. */
  readonly count: FileCount;
  /** The accepted types as people read them: "JPEG, PNG or WebP". */
  readonly types: string;
  /** The `accept` attribute of the file input: `.jpg,image/jpeg,…`. Empty for any file. */
  readonly accept: string;
  /** The usual file name extensions of all types that it takes: `jpg`. */
  readonly extensions: readonly string[];
  /** Files of the site to try the operation with. */
  readonly samples: readonly SampleFile[];
  /** Files of the site to try the operation with, all together, if it takes several. */
  readonly sampleSet: readonly SampleFile[];
}

export interface FileCount {
  readonly min: number;
  readonly max: number;
}

/** Describes how many files a field takes: `2`, or `2 to 100`. */
export function describeCount({ min, max }: FileCount): string {
  return min === max ? `${min}` : `${min} to ${max}`;
}

export interface SampleFile {
  readonly name: string;
  readonly url: string;
}

/** An operation as the playground shows it. Plain JSON. */
export interface FormOperation {
  /** The usual extensions of its outputs, with any parameters. */
  readonly produces: readonly string[];
  readonly id: string;
  readonly group: string;
  /** Whether its result is shown live, while parameters change. */
  readonly isLive: boolean;
  readonly summary: string;
  readonly files: readonly FileField[];
  readonly fields: readonly FormField[];
  /** Example values by field name, as text. */
  readonly example: Readonly<Record<string, string>>;
}

/** The values of a form as text, by field name. An absent or empty value is not sent. */
export type FormValues = Readonly<Record<string, string>>;
