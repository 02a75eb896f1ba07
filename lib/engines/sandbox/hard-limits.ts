import { readFileSync } from "node:fs";

/** The hard limits of this process, which its engines cannot exceed (getrlimit(2)). */

/** Limits as prlimit(1) names them, and their names in /proc/self/limits. */
const names = {
  fsize: "Max file size",
  nofile: "Max open files",
  core: "Max core file size",
  nproc: "Max processes",
  cpu: "Max cpu time",
  as: "Max address space",
} as const;

export type LimitName = keyof typeof names;

/** The numbers of the limits on Linux (getrlimit(2)), on x86-64 as on arm64. */
const numbers = {
  cpu: 0,
  fsize: 1,
  core: 4,
  nproc: 6,
  nofile: 7,
  as: 9,
} as const satisfies Record<LimitName, number>;

/** Limits by their numbers. */
export function numberLimits(wanted: Partial<Record<LimitName, number>>): Map<number, number> {
  // The keys are names of limits.
  return new Map(
    Object.entries(wanted).map(([name, value]) => [numbers[name as LimitName], value]),
  );
}

/** The runner and its engines need more open files than a smaller limit allows. */
export const minOpenFiles = 512;

let limits: Readonly<Record<LimitName, number>> | undefined;

/** The hard limits; `Infinity` where there is none, and everywhere on systems without /proc. */
export function hardLimits(): Readonly<Record<LimitName, number>> {
  limits ??= parseHardLimits(readLimits());
  return limits;
}

/** Returns `wanted`, lowered to the hard limits. Only a privileged process could raise them. */
export function clampLimits(
  wanted: Partial<Record<LimitName, number>>,
): Partial<Record<LimitName, number>> {
  const clamped = Object.entries(wanted).map(([name, value]) => {
    // The keys are names of limits.
    const hard = hardLimits()[name as LimitName];
    return [name, Math.min(value, hard)];
  });
  return Object.fromEntries(clamped);
}

/** Reads the content of /proc/self/limits; see proc(5). */
export function parseHardLimits(text: string): Record<LimitName, number> {
  const hardOf = (title: string) => {
    const [, hard] = new RegExp(`^${title} +\\S+ +(\\d+)`, "m").exec(text) ?? [];
    return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard);
  };
  const found = Object.entries(names).map(([name, title]) => [name, hardOf(title)]);
  return Object.fromEntries(found);
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
