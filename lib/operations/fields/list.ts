import { z } from "zod";

/** Lists in a parameter: text such as `320,640`, or an array. They parse to the text. */

interface ListOptions {
  /** Ends with a period. */
  readonly description: string;
  readonly default: string;
  readonly maxItems: number;
}

interface NumberListOptions extends ListOptions {
  readonly min: number;
  readonly max: number;
}

/** A field for whole numbers from `min` to `max`; read them with `parseNumberList`. */
export function numberList(options: NumberListOptions) {
  const { min, max, maxItems } = options;
  const syntax = `must be a list of 1 to ${maxItems} whole numbers from ${min} to ${max} such as ${options.default}`;
  const isValid = (text: string) => {
    const items = splitList(text);
    const areNumbers = items.every((item) => /^\d{1,9}$/.test(item));
    const values = items.map(Number);
    return (
      areNumbers &&
      items.length <= maxItems &&
      values.every((value) => value >= min && value <= max)
    );
  };
  const item = z.union([z.number().int(), z.string().max(9)]);
  return listField(options, item, syntax, isValid);
}

/** A field for some of `names`; read them with `parseNameList`. */
export function nameList(names: readonly string[], options: Omit<ListOptions, "maxItems">) {
  const syntax = `must be a list of ${names.join(", ")}, such as ${options.default}`;
  const isValid = (text: string) => splitList(text).every((item) => names.includes(item));
  return listField({ ...options, maxItems: names.length }, z.enum(names), syntax, isValid);
}

function listField(
  { description, default: initial, maxItems }: ListOptions,
  item: z.ZodType,
  syntax: string,
  isValid: (text: string) => boolean,
): z.ZodType<string, string | unknown[] | undefined> {
  const field = z
    .union([z.string().max(1000), z.array(item).min(1).max(maxItems)], syntax)
    // Not a transform: JSON Schema would then have no default.
    .overwrite((value) => (typeof value === "string" ? value : value.join(",")))
    .refine((value) => isValid(String(value)), syntax)
    .default(initial)
    .meta({
      description: `${description} Text with commas, or an array.`,
      control: "text",
    });
  // The type of `overwrite` does not say that an array becomes text.
  return field as unknown as z.ZodType<string, string | unknown[] | undefined>;
}

const splitList = (text: string) => text.split(",").map((item) => item.trim());

/** The different numbers of a valid list, in ascending order. */
export function parseNumberList(text: string): number[] {
  return [...new Set(splitList(text).map(Number))].sort((a, b) => a - b);
}

/** The different names of a valid list, in their order. */
export function parseNameList<Name extends string>(text: string, names: readonly Name[]): Name[] {
  const items = new Set(splitList(text));
  return [...items].flatMap((item) => names.find((name) => name === item) ?? []);
}
