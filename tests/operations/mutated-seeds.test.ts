import { describe, expect, it, test } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { checkCase, createCases } from "#tests/hostile/check-bad-input.ts";
import { chooseCases } from "#tests/hostile/choose-cases.ts";
import { describeGoodFiles } from "#tests/hostile/describe-bad-inputs.ts";
import { mutatedInput, mutationSeeds } from "#tests/hostile/mutations/mutated-inputs.ts";

/** A sample of the cases of `mutated-seeds.soak.ts`. */

/** Operations that are fast with every file. Every seed meets every engine of theirs that reads it. */
const quick = ["pipeline/file-inspect", "pipeline/strip-metadata"];

const rows = mutationSeeds.map((seed, index) => mutatedInput(seed, index));
const matrix = operations.map((operation) => ({ operation, cases: createCases(rows, operation) }));

const chosenOfQuick = new Set(
  chooseCases(
    matrix.flatMap(({ operation, cases }) => (quick.includes(operation.id) ? cases : [])),
  ),
);

/** Each other operation gets one damaged file. More are in the soak run. */
const chosen = matrix.map(({ operation, cases }) => ({
  operation,
  id: operation.id,
  cases: quick.includes(operation.id)
    ? cases.filter((one) => chosenOfQuick.has(one))
    : cases.slice(0, 1),
}));

const withCases = chosen.filter(({ cases }) => cases.length > 0);

describe.each(withCases)("$id", ({ cases }) => {
  test.each(cases)("$id", async (one) => void (await checkCase(one)));
});

describeGoodFiles(operations);

it("includes every operation, and so every engine", () => {
  const withFiles = chosen.filter(({ operation }) => operation.inputs.max > 0);
  expect(withFiles.filter(({ cases }) => cases.length === 0).map(({ id }) => id)).toEqual([]);
});
