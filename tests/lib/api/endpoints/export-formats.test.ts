import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { exportFormats } from "#lib/api/endpoints/dashboard/export-formats.ts";
import { writeCell } from "#lib/formats/csv/csv.ts";

it.each([
  ["photo.jpg", "photo.jpg"],
  ['a "quoted", name', '"a ""quoted"", name"'],
  ["two\nlines", '"two\nlines"'],
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["-1,2", '"\'-1,2"'],
  [12, "12"],
  [null, ""],
])("the cell of %j is %j", (value, cell) => {
  expect(writeCell(value)).toBe(cell);
});

it("an empty list is valid in both formats", async () => {
  async function* pages() {}
  const write = async (name: keyof typeof exportFormats) =>
    (await Readable.from(exportFormats[name].write(pages())).toArray()).join("");
  expect(JSON.parse(await write("json"))).toEqual([]);
  expect(await write("csv")).toMatch(/^id,status,.*,metadata\r\n$/);
});
