import type { FormField, FormOperation, FormValues } from "./form-field.ts";

/** The defaults; for required fields the values of the example. */
export function initialValues({ fields, example }: FormOperation): FormValues {
  return Object.fromEntries(
    fields.map(({ name, required, initial }) => [
      name,
      (required ? example[name] : undefined) ?? initial ?? "",
    ]),
  );
}

/** The values of a form after a change of operation: kept for fields of the same name and control. */
export function carryValues(
  values: FormValues,
  from: FormOperation,
  to: FormOperation,
): FormValues {
  const kept = to.fields.flatMap((field) => {
    const previous = from.fields.find(({ name }) => name === field.name);
    const value = values[field.name];
    const isSame = previous && JSON.stringify(previous.control) === JSON.stringify(field.control);
    return isSame && value ? [[field.name, value] as const] : [];
  });
  return { ...initialValues(to), ...Object.fromEntries(kept) };
}

/** The values to send: those that are filled in and differ from the default. Hidden secrets are `***`. */
export function sentValues(
  fields: readonly FormField[],
  values: FormValues,
  secrets: "shown" | "hidden" = "shown",
): [string, string][] {
  return sentFields(fields, values).map(({ name, secret }) => [
    name,
    secret && secrets === "hidden" ? "***" : (values[name] ?? ""),
  ]);
}

/** The fields whose values are sent. */
export function sentFields(fields: readonly FormField[], values: FormValues): FormField[] {
  return fields.filter(({ name, initial, required }) => {
    const value = values[name] ?? "";
    return value !== "" && (required || value !== initial);
  });
}

/** The values to send as JSON. Code samples hide secrets. */
export function jsonValues(
  fields: readonly FormField[],
  values: FormValues,
  secrets: "shown" | "hidden" = "hidden",
): Record<string, unknown> {
  const sent = new Map(sentValues(fields, values));
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = sent.get(field.name);
      if (text === undefined) return [];
      return [[field.name, field.secret && secrets === "hidden" ? "***" : toJson(field, text)]];
    }),
  );
}

function toJson({ control }: FormField, text: string): unknown {
  switch (control.kind) {
    case "choice":
      return control.options.find((option) => String(option) === text) ?? text;
    case "number":
    case "slider":
    case "time":
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case "switch":
      return text === "true";
    case "json":
      return parseJson(text);
    case "region":
      return text.startsWith("[") ? parseJson(text) : text;
    default:
      return text;
  }
}

/** The parsed JSON, or the text itself if it is not valid: the service reports the error. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The parameters of a job as values of a form. */
export function valuesOfParams(
  operation: FormOperation,
  params: Readonly<Record<string, unknown>>,
): FormValues {
  return Object.fromEntries(
    operation.fields.map(({ name, secret }) => {
      const value = params[name];
      if (value === undefined || value === null || secret) return [name, ""];
      return [name, typeof value === "string" ? value : JSON.stringify(value)];
    }),
  );
}
