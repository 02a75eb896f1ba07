import { expect, it } from "vitest";
import { textOfStream } from "#lib/operations/document/redact/stream-text.ts";

const read = (content: string) => textOfStream(Buffer.from(content, "latin1"));

it("strings of a content stream stay, names do not", () => {
  const text = read("/Figure <</MCID 1>> BDC BT /F1 12 Tf (a/Secret \\) (b) /Name) Tj ET EMC");
  expect(text).toContain("a/secret \\) (b) /name");
  expect(text).not.toMatch(/figure|mcid/);
  expect(read("<536563726574> Tj")).toContain("536563726574");
});

it("of a table of characters, only the characters stay", () => {
  const table =
    "/CIDInit /ProcSet findresource begincmap 1 beginbfchar <01> <0053 0065 0063> endbfchar";
  const text = read(table);
  expect(text).toContain("\0s\0e\0c");
  expect(text).not.toContain("begincmap");
});

it("color profiles have no text", () => {
  expect(read(`${"x".repeat(36)}acsp Copyright`)).toBe("");
});
