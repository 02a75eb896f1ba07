import type { NumberControl } from "./form-field.ts";

/** The step of a slider: a round number that gives about 200 steps, or 1 for integers. */
export function stepOf({ min, max, integer }: NumberControl): number {
  if (integer || min === null || max === null) return integer ? 1 : 0.1;
  const range = max - min;
  if (range <= 2) return 0.01;
  if (range <= 20) return 0.1;
  return range <= 200 ? 0.5 : 1;
}

/** Formats seconds: 90 as `1:30`, 5.5 as `0:05.5`. */
export function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round((seconds - minutes * 60) * 1000) / 1000;
  const hours = Math.floor(minutes / 60);
  const two = (value: number) => `${value < 10 ? "0" : ""}${value}`;
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Parses `90`, `1:30` or `0:01:30` to seconds. Undefined if the text is not a time. */
export function parseSeconds(text: string): number | undefined {
  const match = /^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)$/.exec(text.trim());
  if (!match) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0"] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
