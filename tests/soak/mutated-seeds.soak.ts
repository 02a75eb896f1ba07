import { endSoak, soakCases } from "#tests/hostile/soak-cases.ts";

/**
 * Damaged files of every type to every operation that takes them: each ends with a result or with a
 * known code, in time, with nothing left behind, and the next good job is fine. `MUTATIONS` is how many
 * of each seed, `FIRST` the number of the first; words in `SEEDS` and `OPERATIONS` choose some by name.
 */

// Only once there is a folder for the engines.
const { operations } = await import("#lib/operations/catalogue/index.ts");
const { casesOf } = await import("#tests/hostile/check-bad-input.ts");
const { mutatedInput, mutationSeeds } = await import("#tests/hostile/mutated-inputs.ts");

const first = Number(process.env.FIRST ?? 0);
const numbers = Array.from({ length: Number(process.env.MUTATIONS ?? 26) }, (_, n) => first + n);

function choose<Named extends { id: string }>(all: readonly Named[], words = ""): readonly Named[] {
  const wanted = words.split(",").filter(Boolean);
  return wanted.length === 0
    ? all
    : all.filter(({ id }) => wanted.some((word) => id.includes(word)));
}

const chosen = choose(operations, process.env.OPERATIONS);

for (const seed of choose(mutationSeeds, process.env.SEEDS)) {
  const startedAt = performance.now();
  const rows = numbers.map((number) => mutatedInput(seed, number));
  const cases = chosen.flatMap((operation) => casesOf(rows, operation));
  await soakCases(cases);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${seed.id}: ${cases.length} cases (${seconds} s)\n`);
}
await endSoak();
