import { endSoak, runCases } from "#tests/hostile/soak-cases.ts";
import { filterById } from "./filter-by-id.ts";

/**
 * Runs the slow rows of the catalogue of bad inputs on every operation that accepts them. They take long on
 * any machine. `ROWS`: run only rows whose id contains one of these words, separated by commas.
 */

// Imported here because `soak-cases.ts` sets the environment of the engines first.
const { operations } = await import("#lib/operations/catalogue/index.ts");
const { badInputs } = await import("#tests/hostile/catalogue.ts");
const { createCases } = await import("#tests/hostile/check-bad-input.ts");

const slowRows = badInputs.filter(({ isSlow }) => isSlow);

for (const row of filterById(slowRows, process.env.ROWS)) {
  await runCases(
    operations.flatMap((operation) => createCases([row], operation)),
    true,
  );
}
await endSoak();
