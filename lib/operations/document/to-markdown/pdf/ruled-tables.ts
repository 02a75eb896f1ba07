import { type Box, contains, enclose, type Rule, type Run } from "./page.ts";

/** Tables whose cells are separated by lines. */

export interface RuledTable extends Box {
  /** Runs by row and column. */
  readonly cells: readonly (readonly (readonly Run[])[])[];
}

/** Lines nearer to each other, in points, are one. */
const tolerance = 3;
const minCell = 6;

/** The tables that the lines of a page form. */
export function findRuledTables(rules: readonly Rule[], runs: readonly Run[]): RuledTable[] {
  return connect(rules).flatMap((group) => {
    const table = toTable(group, runs);
    return table ? [table] : [];
  });
}

/** Groups of lines that touch each other. */
function connect(rules: readonly Rule[]): Rule[][] {
  let groups: { box: Box; rules: Rule[] }[] = [];
  for (const rule of rules.toSorted((a, b) => a.top - b.top)) {
    const touching = groups.filter(({ box }) => meets(box, rule));
    const merged = [rule, ...touching.flatMap((group) => group.rules)];
    groups = groups.filter((group) => !touching.includes(group));
    groups.push({ box: enclose(merged), rules: merged });
  }
  return groups.map((group) => group.rules);
}

function meets(a: Box, b: Box): boolean {
  return (
    a.left <= b.right + tolerance &&
    b.left <= a.right + tolerance &&
    a.top <= b.bottom + tolerance &&
    b.top <= a.bottom + tolerance
  );
}

function toTable(rules: readonly Rule[], runs: readonly Run[]): RuledTable | undefined {
  const horizontal = rules.filter((rule) => rule.right - rule.left >= rule.bottom - rule.top);
  const vertical = rules.filter((rule) => rule.bottom - rule.top > rule.right - rule.left);
  const ys = cluster(horizontal.map(({ top, bottom }) => (top + bottom) / 2));
  const xs = cluster(vertical.map(({ left, right }) => (left + right) / 2));
  if (ys.length < 3 || xs.length < 3) return undefined;
  const box = { left: xs[0] ?? 0, right: xs.at(-1) ?? 0, top: ys[0] ?? 0, bottom: ys.at(-1) ?? 0 };
  const inside = runs.filter((run) => contains(box, run));
  const find = (lines: readonly number[], at: number) =>
    Math.max(
      0,
      Math.min(
        lines.findLastIndex((line) => line <= at),
        lines.length - 2,
      ),
    );
  const cells: Run[][][] = Array.from({ length: ys.length - 1 }, () =>
    Array.from({ length: xs.length - 1 }, () => []),
  );
  for (const run of inside) {
    const row = find(ys, (run.top + run.bottom) / 2);
    const column = firstColumn(xs, vertical, find(xs, (run.left + run.right) / 2), run);
    cells[row]?.[column]?.push(run);
  }
  const filled = cells.flat().filter((cell) => cell.length > 0).length;
  // A form or a drawing has lines, too, but few texts between them.
  return filled * 3 < (ys.length - 1) * (xs.length - 1) || filled < 3
    ? undefined
    : { ...box, cells };
}

/** The first column of the cell of a run: to the left of it, a cell over several has no line. */
function firstColumn(
  xs: readonly number[],
  vertical: readonly Rule[],
  column: number,
  run: Run,
): number {
  const y = (run.top + run.bottom) / 2;
  let first = column;
  while (first > 0) {
    const x = xs[first] ?? 0;
    const hasLine = vertical.some(
      (rule) =>
        Math.abs((rule.left + rule.right) / 2 - x) <= tolerance &&
        rule.top - tolerance <= y &&
        rule.bottom + tolerance >= y,
    );
    if (hasLine) break;
    first--;
  }
  return first;
}

/** The distinct positions, ascending. Cells are at least 6 points wide and high. */
function cluster(positions: readonly number[]): number[] {
  const distinct: number[] = [];
  for (const position of positions.toSorted((a, b) => a - b)) {
    if (position - (distinct.at(-1) ?? Number.NEGATIVE_INFINITY) > minCell) distinct.push(position);
  }
  return distinct;
}
