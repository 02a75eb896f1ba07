import { createHash } from "node:crypto";

/** What `work` takes on a quiet machine with the two cores that the budgets of the tests are for, in milliseconds. */
const referenceMs = 500;

/**
 * How many times slower than the reference machine this one is now, at least 1. Machines of CI share their cores with
 * others: the same commit takes twice as long on some days. The fastest of several `runs` counts.
 */
export function measureSlowness(runs = 3): number {
  const times = Array.from({ length: runs }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.max(1, Math.min(...times) / referenceMs);
}

/** Calculates, and reads and writes memory beyond the caches, as tests do. */
function work(): void {
  const numbers = Float64Array.from(
    { length: 1_000_000 },
    (_, index) => (index * 7919) % 1_000_003,
  );
  numbers.sort();
  const objects = Array.from({ length: 200_000 }, (_, index) => ({ index, name: `name ${index}` }));
  const text = JSON.stringify(objects);
  JSON.parse(text);
  createHash("sha256").update(text.repeat(10)).digest();
}
