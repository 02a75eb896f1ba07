import { endSoak, runCases } from "#tests/hostile/soak-cases.ts";
import { filterById } from "./filter-by-id.ts";

/**
 * Runs damaged files of every type on every operation that accepts them. Each job must end in time with a
 * result or a known error code, nothing may remain, and the next job with a good file must succeed.
 * `MUTATIONS`: mutations per seed; `FIRST`: the number of the first mutation; `SEEDS` and `OPERATIONS`:
 * run only ids that contain one of these words, separated by commas.
 */

// Imported here because `soak-cases.ts` sets the environment of the engines first.
const { operations } = await import("#lib/operations/catalogue/index.ts");
const { createCases } = await import("#tests/hostile/check-bad-input.ts");
const { mutatedInput, mutationSeeds } = await import("#tests/hostile/mutations/mutated-inputs.ts");

const first = Number(process.env.FIRST ?? 0);
const numbers = Array.from({ length: Number(process.env.MUTATIONS ?? 26) }, (_, n) => first + n);

const chosen = filterById(operations, process.env.OPERATIONS);

for (const seed of filterById(mutationSeeds, process.env.SEEDS)) {
  const startedAt = performance.now();
  const rows = numbers.map((number) => mutatedInput(seed, number));
  const cases = chosen.flatMap((operation) => createCases(rows, operation));
  await runCases(cases);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${seed.id}: ${cases.length} cases (${seconds} s)\n`);
}
await endSoak();
