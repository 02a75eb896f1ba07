import { createHash } from "node:crypto";
import type { EngineName } from "#lib/engines/sandbox/errors.ts";
import type { Operation } from "#lib/operations/define.ts";

/** A case of the full matrix of rows and operations, as far as the choice needs to know it. */
interface Choosable {
  readonly id: string;
  readonly operation: Pick<Operation, "id" | "requires">;
}

/** How many rows each operation meets at least, where it accepts as many. */
const leastPerOperation = 4;

/** Engines that only write, or read tags, which `pipeline/file-inspect` meets with every row. */
const otherEngines: readonly EngineName[] = ["cjxl", "exiftool", "tesseract"];

/** The engines that decode the input of an operation. */
function decodersOf({ requires }: Pick<Operation, "requires">): string {
  const decoders = requires.filter((engine) => !otherEngines.includes(engine));
  return (decoders.length > 0 ? decoders : [...requires]).sort().join();
}

/**
 * The cases of the full matrix that `npm test` runs: pairwise instead of every row on every operation.
 * Every row meets every set of engines that reads its type, on one operation of that set, and every
 * operation meets at least `least` rows, four by default. `isRequired` cases are always chosen. Operations of a set take
 * turns, and the choice depends on nothing but the ids, so it is the same in each run.
 * `npm run soak bad-inputs` runs the full matrix.
 */
export function chooseCases<Case extends Choosable>(
  cases: readonly Case[],
  isRequired: (one: Case) => boolean = () => false,
  least = leastPerOperation,
): Case[] {
  const chosen = new Set(cases.filter(isRequired));
  const counts = new Map<string, number>();
  const countOf = ({ operation }: Case) => counts.get(operation.id) ?? 0;
  const choose = (one: Case) => {
    chosen.add(one);
    counts.set(one.operation.id, countOf(one) + 1);
  };
  for (const one of chosen) counts.set(one.operation.id, countOf(one) + 1);

  const byRowAndEngines = Map.groupBy(cases, ({ id, operation }) =>
    JSON.stringify([id, decodersOf(operation)]),
  );
  for (const candidates of byRowAndEngines.values()) {
    if (candidates.some((one) => chosen.has(one))) continue;
    const [next] = candidates.toSorted((a, b) => countOf(a) - countOf(b) || order(a) - order(b));
    if (next) choose(next);
  }

  for (const own of Map.groupBy(cases, ({ operation }) => operation.id).values()) {
    const others = own.filter((one) => !chosen.has(one)).sort((a, b) => order(a) - order(b));
    for (const one of others) if (countOf(one) < least) choose(one);
  }
  return cases.filter((one) => chosen.has(one));
}

/** A number that spreads the cases evenly, and is the same in each run. */
function order({ id, operation }: Choosable): number {
  return createHash("sha256").update(`${operation.id}\0${id}`).digest().readUInt32BE(0);
}
