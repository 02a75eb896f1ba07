import type { FormField, FormValues } from "../form/form-field.ts";
import { parseSeconds } from "../form/number-text.ts";

/** The parameters of an operation that are times in its input. */
export interface TimeFields {
  /** The parameter of the only time, or of the start of a part. */
  readonly start: string;
  /** The parameter of the end of the part: its time, or its duration. Undefined if there is no part. */
  readonly end: string | undefined;
  readonly duration: string | undefined;
}

/** A part of an input, in seconds. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** The times of an operation; undefined if it has none. */
export function findTimeFields(fields: readonly FormField[]): TimeFields | undefined {
  const find = (name: string, isTime: (field: FormField) => boolean) =>
    fields.find((field) => field.name === name && isTime(field))?.name;
  const isTime = ({ control }: FormField) => control.kind === "time";
  const isSeconds = ({ control }: FormField) => "unit" in control && control.unit === "s";
  const start = find("start", isTime);
  if (start === undefined) {
    const time = find("time", isTime);
    return time === undefined ? undefined : { start: time, end: undefined, duration: undefined };
  }
  return { start, end: find("end", isTime), duration: find("duration", isSeconds) };
}

/** Whether a value of the field is a time in the input, and not a length. */
export function isTimeInInput({ name, control }: FormField): boolean {
  return control.kind === "time" && /^(?:start|end|time)$/.test(name);
}

/** The part that the values choose of an input of `length` seconds. Without an end, it reaches to the end. */
export function readRange(
  names: TimeFields,
  fields: readonly FormField[],
  values: FormValues,
  length: number,
): TimeRange {
  const read = (name: string | undefined) => {
    const field = fields.find((one) => one.name === name);
    const text = field && (values[field.name] || field.initial);
    return text ? parseSeconds(text) : undefined;
  };
  const start = Math.min(read(names.start) ?? 0, length);
  const duration = read(names.duration);
  const end = read(names.end) ?? (duration === undefined ? length : start + duration);
  return { start, end: Math.min(Math.max(end, start), length) };
}

/** The values of the form that choose a part. An end replaces a duration. */
export function writeRange(names: TimeFields, { start, end }: TimeRange): Record<string, string> {
  const written: Record<string, string> = { [names.start]: toText(start) };
  if (names.end !== undefined) {
    written[names.end] = toText(end);
    if (names.duration !== undefined) written[names.duration] = "";
  } else if (names.duration !== undefined) {
    written[names.duration] = toText(end - start);
  }
  return written;
}

/** Formats seconds to a millisecond. */
export function toText(seconds: number): string {
  return String(Math.round(seconds * 1000) / 1000);
}
