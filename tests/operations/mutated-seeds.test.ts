import { describe, expect, it, test } from "vitest";
import { operations } from "#lib/operations/index.ts";
import { casesOf, holdCase, holdGoodJob } from "#tests/support/hold-bad-input.ts";
import { mutatedInput, mutationSeeds } from "#tests/support/mutated-inputs.ts";

/** A slice of what `mutated-seeds.soak.ts` runs. */

/** Quick with every file: they meet each seed. */
const quick = ["pipeline/file-inspect", "pipeline/strip-metadata"];
/** How many damaged files each of the others meets. */
const count = 5;

const rounds = Array.from({ length: count }, (_, round) =>
  mutationSeeds.map((seed, index) => mutatedInput(seed, index + 5 * round)),
);

const chosen = operations.map((operation) => {
  const all = casesOf(quick.includes(operation.id) ? (rounds[0] ?? []) : rounds.flat(), operation);
  const step = quick.includes(operation.id) ? 1 : Math.floor(all.length / count);
  return { operation, id: operation.id, cases: all.filter((_, index) => index % step === 0) };
});

describe.each(chosen)("$id", ({ operation, cases }) => {
  test.each(cases)("$id", async (one) => void (await holdCase(one)));

  it("goes on with a good file", () => holdGoodJob(operation));
});

it("no operation, and so no engine, is left out", () => {
  expect(chosen.filter(({ cases }) => cases.length < count)).toEqual([]);
});
