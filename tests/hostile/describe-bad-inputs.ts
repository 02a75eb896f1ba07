import { describe, test } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import type { BadInput } from "./bad-input.ts";
import {
  type BadCase,
  type CheckRun,
  checkCase,
  checkGoodJob,
  createCases,
} from "./check-bad-input.ts";
import { chooseCases, coverEngines } from "./choose-cases.ts";

/**
 * Tests rows on the operations of the catalogue that accept their type: the pairs that `chooseCases`
 * returns, and then a good file for each engine that they have met. `bad-inputs.soak.ts` runs every pair,
 * and slow rows run only in `slow-rows.soak.ts`.
 */
export function describeBadInputs(rows: readonly BadInput[], check?: CheckRun): void {
  const quick = rows.filter(({ isSlow }) => !isSlow);
  const matrix = operations.flatMap((operation) => createCases(quick, operation));
  const chosen = Map.groupBy(chooseCases(matrix, isRequired), ({ operation }) => operation);
  for (const [operation, cases] of chosen) {
    describe(operation.id, () => {
      test.each(cases)("$id", { timeout }, async (one) => void (await checkCase(one, check)));
    });
  }
  describeGoodFiles([...chosen.keys()]);
}

/** Tests that every engine of `operations` completes a good file after the bad ones. */
export function describeGoodFiles(tested: readonly Operation[]): void {
  describe("a good file completes afterwards", () => {
    test.each(coverEngines(tested))("$id", { timeout }, (operation) => checkGoodJob(operation));
  });
}

/** Whether the row has outcomes of its own for exactly this operation or additional file, and costs little. */
function isRequired({ row, operation, extraFile }: BadCase): boolean {
  if (row.isCostly) return false;
  const key = extraFile === undefined ? operation.id : `${operation.id}/${extraFile}`;
  return Object.hasOwn(row.expectedFor ?? {}, key);
}

/** The time limit of the test itself; the row's own limit is checked in the test. */
const timeout = 300_000;
