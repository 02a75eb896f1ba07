/** The smallest of 1, 2, 3, 4, 5, 6, 8, 10, 20, … that is at least `value`. */
export function niceMaximum(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10;
  return step * power;
}

/** Formats `2026-11-21` as `21 Nov`, with its year as `21 Nov 2026`. */
export function formatDay(day: string, { hasYear = false } = {}): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(hasYear && { year: "numeric" }),
    timeZone: "UTC",
  });
}
