import { describe, expect, it, test } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { casesOf, holdCase, holdGoodJob } from "#tests/hostile/check-bad-input.ts";
import { mutatedInput, mutationSeeds } from "#tests/hostile/mutated-inputs.ts";

/** A slice of what `mutated-seeds.soak.ts` runs. */

/** Quick with every file: they meet each seed. */
const quick = ["pipeline/file-inspect", "pipeline/strip-metadata"];
/** How many damaged files each of the others meets, of as many seeds as there are. */
const count = 5;

const rounds = Array.from({ length: count }, (_, round) =>
  mutationSeeds.map((seed, index) => mutatedInput(seed, index + 5 * round)),
);

const chosen = operations.map((operation) => {
  const all = rounds.map((rows) => casesOf(rows, operation));
  const cases = quick.includes(operation.id)
    ? (all[0] ?? [])
    : all.flatMap((own, round) => own[Math.floor((round * own.length) / count)] ?? []);
  return { operation, id: operation.id, cases };
});

describe.each(chosen)("$id", ({ operation, cases }) => {
  test.each(cases)("$id", async (one) => void (await holdCase(one)));

  it("goes on with a good file", () => holdGoodJob(operation));
});

it("no operation, and so no engine, is left out", () => {
  expect(chosen.filter(({ cases }) => cases.length < count)).toEqual([]);
});
