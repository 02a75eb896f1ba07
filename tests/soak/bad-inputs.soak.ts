import { endSoak, runCases } from "#tests/hostile/soak-cases.ts";
import { filterById } from "./filter-by-id.ts";

/**
 * Runs every quick row of the catalogue of bad inputs on every operation that accepts it. `npm test` runs
 * only a choice of these cases; see `choose-cases.ts`. `ROWS` and `OPERATIONS`: run only ids that contain
 * one of these words, separated by commas.
 */

// Imported here because `soak-cases.ts` sets the environment of the engines first.
const { operations } = await import("#lib/operations/catalogue/index.ts");
const { badInputs } = await import("#tests/hostile/catalogue.ts");
const { createCases } = await import("#tests/hostile/check-bad-input.ts");

const quickRows = badInputs.filter(({ isSlow }) => !isSlow);
const rows = filterById(quickRows, process.env.ROWS);

for (const operation of filterById(operations, process.env.OPERATIONS)) {
  const startedAt = performance.now();
  const cases = createCases(rows, operation);
  await runCases(cases);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${operation.id}: ${cases.length} cases (${seconds} s)\n`);
}
await endSoak();
