import { describe, test } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { BadInput } from "./bad-input.ts";
import {
  type BadCase,
  type CheckRun,
  checkCase,
  checkGoodJob,
  createCases,
} from "./check-bad-input.ts";
import { chooseCases } from "./choose-cases.ts";

/**
 * Tests rows on the operations of the catalogue that accept their type: the pairs that `chooseCases`
 * returns, and a good file for each set of engines. `mutated-seeds.test.ts` has one for each operation. `bad-inputs.soak.ts` runs every pair, and
 * slow rows run only in `slow-rows.soak.ts`.
 */
export function describeBadInputs(
  rows: readonly BadInput[],
  check?: CheckRun,
  leastPerOperation?: number,
): void {
  const quick = rows.filter(({ isSlow }) => !isSlow);
  const matrix = operations.flatMap((operation) => createCases(quick, operation));
  const chosen = Map.groupBy(
    chooseCases(matrix, isRequired, leastPerOperation),
    ({ operation }) => operation,
  );
  // Engines are shared by operations, so a good file for each set of engines shows that they still work.
  const checked = new Set<string>();
  for (const [operation, cases] of chosen) {
    const engines = operation.requires.toSorted().join();
    const isFirst = !checked.has(engines);
    checked.add(engines);
    describe(operation.id, () => {
      test.each(cases)("$id", { timeout }, async (one) => void (await checkCase(one, check)));
      if (isFirst) test("a good file completes afterwards", () => checkGoodJob(operation));
    });
  }
}

/** Whether the row has outcomes of its own for exactly this operation or additional file, and costs little. */
function isRequired({ row, operation, extraFile }: BadCase): boolean {
  if (row.isCostly) return false;
  const key = extraFile === undefined ? operation.id : `${operation.id}/${extraFile}`;
  return Object.hasOwn(row.expectedFor ?? {}, key);
}

/** The time limit of the test itself; the row's own limit is checked in the test. */
const timeout = 300_000;
