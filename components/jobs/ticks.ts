/** How a length is divided: every tick `step` apart, as many as fit. */
export interface Ticks {
  readonly step: number;
  readonly marks: readonly number[];
}

const most = 6;

/** Marks at 1, 2 or 5 times a power of ten, at most six steps over `length`. */
export function ticksOf(length: number): Ticks {
  const rough = Math.max(length, 1) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  const marks = Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
  return { step, marks };
}
