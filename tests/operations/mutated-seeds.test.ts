import { describe, expect, it, test } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { checkCase, checkGoodJob, createCases } from "#tests/hostile/check-bad-input.ts";
import { mutatedInput, mutationSeeds } from "#tests/hostile/mutated-inputs.ts";

/** A sample of the cases of `mutated-seeds.soak.ts`. */

/** Operations that are fast with every file. They get every seed. */
const quick = ["pipeline/file-inspect", "pipeline/strip-metadata"];
/** How many damaged files each other operation gets, each of another seed. More are in the soak run. */
const count = 1;

const rounds = Array.from({ length: count }, (_, round) =>
  mutationSeeds.map((seed, index) => mutatedInput(seed, index + 7 * round)),
);

const chosen = operations.map((operation) => {
  const all = rounds.map((rows) => createCases(rows, operation));
  const cases = quick.includes(operation.id)
    ? (all[0] ?? [])
    : all.flatMap((rows, round) => rows[Math.floor((round * rows.length) / count)] ?? []);
  return { operation, id: operation.id, cases };
});

describe.each(chosen)("$id", ({ operation, cases }) => {
  test.each(cases)("$id", async (one) => void (await checkCase(one)));

  it("completes a good file afterwards", () => checkGoodJob(operation));
});

it("includes every operation, and so every engine", () => {
  const withFiles = chosen.filter(({ operation }) => operation.inputs.max > 0);
  expect(withFiles.filter(({ cases }) => cases.length < count).map(({ id }) => id)).toEqual([]);
});
