import type { FormField, FormOperation, FormValues } from "../form/form-field.ts";

/** The most settings of a comparison. */
export const maxSettings = 9;

/** A parameter that is compared, with the values as texts. */
export interface Axis {
  readonly name: string;
  readonly values: readonly string[];
}

/** The values of the compared parameters, by name. */
export type Setting = Readonly<Record<string, string>>;

/** The parameters that can be compared: choices and numbers with bounds, except times. */
export function comparableFields({ fields }: Pick<FormOperation, "fields">): FormField[] {
  return fields.filter(({ control, name, secret }) => {
    // How a camera RAW is read is no setting of the result.
    if (secret || name === "raw") return false;
    if (control.kind === "choice") return control.options.length > 1;
    const isNumber = control.kind === "slider" || control.kind === "number";
    return isNumber && control.min !== null && control.max !== null;
  });
}

/** Parameters that change the size and quality of a file, the first one that is there first. */
const preferred = ["quality", "bitrate", "format", "codec", "preset", "audio_bitrate", "level"];

/** The parameter that is compared at first. */
export function firstField(operation: Pick<FormOperation, "fields">): FormField | undefined {
  const fields = comparableFields(operation);
  const named = preferred.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  return named[0] ?? fields[0];
}

/** At most `count` values of a parameter: its options, or numbers over its upper range. */
export function proposedValues({ name, control }: FormField, count: number): string[] {
  if (control.kind === "choice") return control.options.slice(0, count).map(String);
  if (control.kind !== "slider" && control.kind !== "number") return [];
  const { min, max, integer } = control;
  if (min === null || max === null || count < 1) return [];
  // Below that, no one uses a quality; the last one is the best that makes a difference.
  const [low, high] = name === "quality" && max === 100 ? [35, 95] : [min, max];
  const step = (high - low) / Math.max(1, count - 1);
  const numbers = Array.from({ length: count }, (_, index) => low + index * step);
  const texts = numbers.map((value) =>
    String(integer ? Math.round(value) : Number(value.toFixed(2))),
  );
  return [...new Set(texts)];
}

/** The values of a text such as `40, 60, 80`, each once. */
export function parseValues(text: string): string[] {
  const values = text.split(/[,\s]+/).filter((value) => value !== "");
  return [...new Set(values)];
}

/** Every combination of the values, in order. */
export function settingsOf(axes: readonly Axis[]): Setting[] {
  return axes.reduce<Setting[]>(
    (settings, { name, values }) =>
      settings.flatMap((setting) => values.map((value) => ({ ...setting, [name]: value }))),
    [{}],
  );
}

/** What is wrong with the choice, or undefined. */
export function settingsProblem(
  operation: Pick<FormOperation, "fields">,
  axes: readonly Axis[],
): string | undefined {
  for (const { name, values } of axes) {
    if (values.length === 0) return `Enter at least one value of \`${name}\`.`;
    const field = operation.fields.find((one) => one.name === name);
    const wrong = field && values.find((value) => !isAllowed(field, value));
    if (wrong !== undefined) return `\`${name}\` must be ${field?.allowed}, not ${wrong}.`;
  }
  const count = settingsOf(axes).length;
  if (count < 2) return "Enter at least two values to compare.";
  if (count <= maxSettings) return undefined;
  return `${count} settings are too many: at most ${maxSettings} are compared.`;
}

function isAllowed({ control }: FormField, value: string): boolean {
  if (control.kind === "choice") return control.options.some((option) => String(option) === value);
  if (control.kind !== "slider" && control.kind !== "number") return true;
  const number = Number(value);
  const isWhole = !control.integer || Number.isInteger(number);
  return isWhole && number >= (control.min ?? number) && number <= (control.max ?? number);
}

/** The form's values with those of a setting. */
export function valuesWith(values: FormValues, setting: Setting): FormValues {
  return { ...values, ...setting };
}
