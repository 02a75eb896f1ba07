/** The ticks of a time axis, `step` apart, starting at 0. */
export interface TimelineTicks {
  readonly step: number;
  readonly marks: readonly number[];
}

const maxSteps = 6;

/** Ticks at multiples of 1, 2 or 5 times a power of ten; at most six steps. `length` is in milliseconds. */
export function timelineTicks(length: number): TimelineTicks {
  const rough = Math.max(length, 1) / maxSteps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const marks = Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
  return { step, marks };
}
