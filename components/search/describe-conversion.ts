import type { Conversion } from "./entry.ts";

/** What a result does for a query about formats: "HEIC to JPEG, with format=jpeg filled in". */
export function describeConversion({ label, format }: Conversion): string {
  const start = `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
  return format === "" ? start : `${start}, with format=${format} filled in`;
}
