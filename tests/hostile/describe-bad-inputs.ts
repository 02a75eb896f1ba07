import { describe, test } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { BadInput } from "./bad-input.ts";
import { type CheckRun, casesOf, holdCase, holdGoodJob } from "./check-bad-input.ts";

/**
 * A test for every row on every operation of the catalogue that accepts its type, and for each of these
 * operations one that the next job is fine. Rows that take long are left to `slow-rows.soak.ts`.
 */
export function describeBadInputs(rows: readonly BadInput[], check?: CheckRun): void {
  const quick = rows.filter(({ isSlow }) => !isSlow);
  for (const operation of operations) {
    const cases = casesOf(quick, operation);
    if (cases.length === 0) continue;
    describe(operation.id, () => {
      test.each(cases)("$id", { timeout }, async (one) => void (await holdCase(one, check)));
      test("after all of them the next job is fine", () => holdGoodJob(operation));
    });
  }
}

/** Of the test; what the row allows is held in it. */
const timeout = 300_000;
