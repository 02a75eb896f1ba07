import { describe, expect, it } from "vitest";
import type { EngineName } from "#lib/engines/sandbox/errors.ts";
import { chooseCases } from "#tests/hostile/choose-cases.ts";

const requires = (index: number): EngineName[] => (index % 4 === 0 ? ["ffmpeg"] : []);
const operations = Array.from({ length: 40 }, (_, index) => ({
  id: `image/operation-${index}` as const,
  requires: requires(index),
}));
const rows = Array.from({ length: 60 }, (_, index) => `row ${index}`);
const matrix = operations.flatMap((operation) => rows.map((id) => ({ id, operation })));

describe("the chosen cases", () => {
  const chosen = chooseCases(matrix);

  it("are a small share of the matrix", () => {
    expect(chosen.length).toBeLessThan(matrix.length / 4);
  });

  it("have every row meet every engine", () => {
    const sets = new Map(rows.map((row) => [row, new Set<string>()]));
    for (const { id, operation } of chosen) sets.get(id)?.add(operation.requires.join());
    expect([...sets].filter(([, engines]) => engines.size < 2)).toEqual([]);
  });

  it("have every operation meet at least three rows", () => {
    const counts = Map.groupBy(chosen, ({ operation }) => operation.id);
    expect(counts.size).toBe(operations.length);
    expect([...counts].filter(([, own]) => own.length < 3)).toEqual([]);
  });

  it("are the same in each run", () => {
    expect(chooseCases(matrix)).toEqual(chosen);
  });

  it("hold all that are required", () => {
    const isRequired = ({ id }: { id: string }) => id === "row 7";
    const own = chooseCases(matrix, isRequired).filter(isRequired);
    expect(own.length).toBe(operations.length);
  });

  it("are all cases where an operation accepts few", () => {
    const few = matrix.filter(({ operation }) => operation.id === "image/operation-3").slice(0, 5);
    expect(chooseCases(few)).toEqual(few);
  });
});
