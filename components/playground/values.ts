import type { FormField, FormOperation } from "./form-field.ts";

/** What a form holds: text by field; a field that is absent or empty is not sent. */
export type FormValues = Readonly<Record<string, string>>;

/** The defaults, and the example's values where a field must be filled in. */
export function initialValues({ fields, example }: FormOperation): FormValues {
  return Object.fromEntries(
    fields.map(({ name, required, initial }) => [
      name,
      (required ? example[name] : undefined) ?? initial ?? "",
    ]),
  );
}

/** Values kept from another operation where this one has fields of the same names and kinds. */
export function carryValues(
  values: FormValues,
  from: FormOperation,
  to: FormOperation,
): FormValues {
  const kept = to.fields.flatMap((field) => {
    const before = from.fields.find(({ name }) => name === field.name);
    const value = values[field.name];
    const isSame = before && JSON.stringify(before.control) === JSON.stringify(field.control);
    return isSame && value ? [[field.name, value] as const] : [];
  });
  return { ...initialValues(to), ...Object.fromEntries(kept) };
}

/** What is sent: fields that are filled in, and differ from what they would be by themselves. */
export function sentValues(fields: readonly FormField[], values: FormValues): [string, string][] {
  return fields.flatMap(({ name, initial, required }) => {
    const value = values[name] ?? "";
    return value === "" || (!required && value === initial) ? [] : [[name, value]];
  });
}

/** The same as JSON has it, for code. */
export function jsonValues(
  fields: readonly FormField[],
  values: FormValues,
): Record<string, unknown> {
  const sent = new Map(sentValues(fields, values));
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = sent.get(field.name);
      return text === undefined ? [] : [[field.name, toJson(field, text)]];
    }),
  );
}

function toJson({ control }: FormField, text: string): unknown {
  switch (control.kind) {
    case "number":
    case "time":
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case "switch":
      return text === "true";
    case "json":
      return parseJson(text);
    default:
      return text;
  }
}

/** JSON, or the text itself where it is none: the server says what is wrong with it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A job's parameters as a form has them. */
export function valuesOfParams(
  operation: FormOperation,
  params: Readonly<Record<string, unknown>>,
): FormValues {
  return Object.fromEntries(
    operation.fields.map(({ name }) => {
      const value = params[name];
      if (value === undefined || value === null) return [name, ""];
      return [name, typeof value === "string" ? value : JSON.stringify(value)];
    }),
  );
}
