import { describe, expect, test } from "vitest";
import { measureTable } from "#lib/formats/office/table-size.ts";
import { findSeparator, tableImportOptions } from "#lib/formats/office/text-import.ts";

describe("the size of a table", () => {
  test.each([
    ["", { rows: 0, columns: 0, cell: 0 }],
    ["a,bc\n1,2,3\n", { rows: 2, columns: 3, cell: 2 }],
    ["a,b\n1,2", { rows: 2, columns: 2, cell: 1 }],
    ['"a,""b\n"",c",d\n', { rows: 1, columns: 2, cell: 12 }],
    ['a 5" pipe,b\nc,d\n', { rows: 2, columns: 2, cell: 9 }],
    ['a,"not closed\nb,c\n', { rows: 1, columns: 2, cell: 1 }],
  ])("of %j", (table, size) => {
    expect(measureTable(table, ",")).toEqual(size);
  });

  test.each([
    ["rows", "a\n".repeat(1_048_577), "The table may have at most 1,048,576 rows."],
    ["columns", `${",".repeat(16_384)}\n`, "The table may have at most 16,384 columns."],
    [
      "cells",
      `a,${"b".repeat(65_536)}\n`,
      "A cell of the table may have at most 65,535 characters.",
    ],
  ])("may have as many %s as a sheet holds", (_name, table, message) => {
    expect(() => tableImportOptions(table)).toThrow(message);
    const fitting = table.replace(/^(a\n|,)/, "").replace(/b\n$/, "\n");
    expect(tableImportOptions(fitting)).toMatch(/1\/2/);
  });

  test("decides how many columns are text", () => {
    expect(tableImportOptions(`${",".repeat(1029)}\n`)).toMatch(/\/1030\/2$/);
  });
});

test.each([
  ["1,5;2,5;3,5\n1,5;2,5;3,5\n", ";"],
  ["1,5\t2,5\n3,25\t1,5\n", "\t"],
  ["1,2,3\n4,5,6\n", ","],
  ["a,b;c\n1,2\n", ","],
  ["a,b|c,d\ne,f|g,h\n", ","],
])("the separator of %j is %j", (table, separator) => {
  expect(findSeparator(table)).toBe(separator);
});
