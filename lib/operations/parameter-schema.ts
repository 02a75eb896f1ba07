import { z } from "zod";

/** What the schema of a parameter says of its form field, next to type, bounds and description. */

/** Form fields of the playground. */
export const controls = [
  "switch",
  "choice",
  "position",
  "number",
  "slider",
  "time",
  "color",
  "region",
  "text",
  "textarea",
  "json",
  "secret",
] as const;

export type ControlName = (typeof controls)[number];

/** Units as they are shown after a number. */
export const units = ["px", "pt", "s", "fps", "Hz", "dB", "dBTP", "LUFS", "°"] as const;

export type Unit = (typeof units)[number];

declare module "zod" {
  interface GlobalMeta {
    /** The form field. The default is the one of the type: see `controlOf`. */
    control?: ControlName;
    unit?: Unit;
    /**
     * A password, a cookie or another secret: encrypted while the job runs, then erased, and shown as
     * `***` everywhere.
     */
    secret?: true;
  }
}

/** The JSON Schema of a parameter with its control and unit, which API documents leave out. */
export interface ParameterSchema {
  readonly type?: unknown;
  /** The schema of each form of a value that has several, such as a time. */
  readonly anyOf?: readonly ParameterSchema[];
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly control?: ControlName;
  readonly unit?: Unit;
  readonly secret?: true;
}

export interface ParameterSchemas {
  readonly properties: Readonly<Record<string, ParameterSchema>>;
  readonly required: readonly string[];
}

/** The schema of each parameter by name, and the names of those that a request must have. */
export function parameterSchemas(params: z.ZodType): ParameterSchemas {
  const { properties = {}, required = [] } = z.toJSONSchema(params, {
    io: "input",
    unrepresentable: "any",
  });
  // Zod's type of a JSON Schema knows neither `control` nor `unit`; `findFault` checks both.
  return { properties: properties as Record<string, ParameterSchema>, required };
}

/** Whether the value is a number, or may be one. */
export function isNumeric(schema: ParameterSchema): boolean {
  const { type, anyOf } = schema;
  return type === "number" || type === "integer" || (anyOf?.some(isNumeric) ?? false);
}

/** Whether the value is a list, or may be one. */
export function isList({ type, anyOf }: ParameterSchema): boolean {
  return type === "array" || (anyOf?.some(isList) ?? false);
}

/** Whether the value is an object, or may be one. */
export function isObject({ type, anyOf }: ParameterSchema): boolean {
  return type === "object" || (anyOf?.some(isObject) ?? false);
}

/** The bounds of a number, or of the form of a value that is one; null where there is none. */
export function boundsOf(schema: ParameterSchema): { min: number | null; max: number | null } {
  const { minimum, maximum } = schema.anyOf?.find(isNumeric) ?? schema;
  // Zod bounds every integer by the largest ones that a double can count.
  const bound = (value: number | undefined) =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
  return { min: bound(minimum), max: bound(maximum) };
}

/** The control that the schema names, or the default of its type. */
export function controlOf(schema: ParameterSchema): ControlName {
  if (schema.control) return schema.control;
  if (schema.enum) return "choice";
  switch (schema.type) {
    case "boolean":
      return "switch";
    case "number":
    case "integer":
      return "number";
    case "array":
    case "object":
      return "json";
    default:
      return "text";
  }
}
