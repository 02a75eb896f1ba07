import { describe, expect, it } from "vitest";
import type { EngineName } from "#lib/engines/sandbox/failures/errors.ts";
import { chooseCases, coverEngines } from "#tests/hostile/choose-cases.ts";

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

  it("are one for each row where one operation uses every engine", () => {
    const [first] = operations;
    if (!first) throw new Error("no operation");
    const all = { ...first, id: "image/all" as const, requires: ["ffmpeg", "image"] as const };
    const few = rows.flatMap((id) => [
      { id, operation: all },
      { id, operation: first },
    ]);
    expect(chooseCases(few).map(({ operation }) => operation.id)).toEqual(rows.map(() => all.id));
  });

  it("are the same in each run", () => {
    expect(chooseCases(matrix)).toEqual(chosen);
  });

  it("hold all that are required", () => {
    const isRequired = ({ id }: { id: string }) => id === "row 7";
    const own = chooseCases(matrix, isRequired).filter(isRequired);
    expect(own.length).toBe(operations.length);
  });
});

describe("the operations with a good file", () => {
  const needs = (...names: EngineName[]) => ({ requires: names });

  it("use every engine, each with as few others as possible", () => {
    const one = [needs("ffmpeg"), needs("image"), needs()];
    const several = [needs("qpdf", "ffmpeg"), needs("qpdf", "ffmpeg", "image")];
    const covering = coverEngines([...several.toReversed(), ...one]);
    expect(new Set(covering)).toEqual(new Set([...one, several[0]]));
  });
});
