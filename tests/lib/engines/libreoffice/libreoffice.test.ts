import { writeFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import {
  closeLibreOffice,
  convertToPdf,
  type OfficeRequest,
} from "#lib/engines/libreoffice/libreoffice.ts";
import { findSeparator, tableImportOptions } from "#lib/engines/office/text-import.ts";
import { mediaType } from "#lib/media/types.ts";
import { readPdf } from "#tests/samples/pdf.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

afterAll(() => closeLibreOffice());

/** Converts `text`; returns what the PDF says. */
async function convert(text: string, request: Partial<OfficeRequest> = {}): Promise<string> {
  const work = temporaryWorkFolder();
  const [input, output] = [work.input("txt"), work.output("pdf")];
  await writeFile(input.path, text);
  await convertToPdf({
    input: { ...input, type: mediaType("txt") },
    output,
    work,
    pages: "",
    signal: new AbortController().signal,
    ...request,
  });
  return readPdf(output.path).text;
}

/** Long enough that LibreOffice works on it for seconds. */
const long = "word ".repeat(1_000_000);

describe("a document that takes too long", () => {
  it("is ended by the clock, and the next one is fine", async () => {
    await expect(convert(long, { timeoutMs: 500 })).rejects.toMatchObject({
      name: "JobError",
      code: "timed_out",
    });
    await expect(convert("next")).resolves.toBe("next");
  });

  it("is ended by its caller at once, and the next one is fine", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const start = Date.now();
    await expect(convert(long, { signal: stop.signal })).rejects.toMatchObject({
      name: "EngineError",
      aborted: true,
    });
    expect(Date.now() - start).toBeLessThan(2500);
    await expect(convert("next")).resolves.toBe("next");
  });
});

it("a caller that has stopped already starts nothing", async () => {
  const run = convert("x", { signal: AbortSignal.abort() });
  await expect(run).rejects.toMatchObject({ aborted: true });
});

it("a type that is no office document is refused", async () => {
  const work = temporaryWorkFolder();
  const input = { ...work.input("png"), type: mediaType("png") };
  await expect(convert("x", { input })).rejects.toMatchObject({ code: "unsupported_type" });
});

describe("the separator of a table", () => {
  it.each([
    ["a,b\n1,2", ","],
    ["a;b\n1,5;2,5", ";"],
    ["a\tb, c\n1\t2", "\t"],
    ["a|b\n1|2", "|"],
    [`"x;y;z",b\n"1;2",3`, ","],
    ["one column\nonly", ","],
    ["", ","],
    ["a;b;c\n1,2;3;4\n5;6;7", ";"],
  ])("of %j is %j", (table, separator) => {
    expect(findSeparator(table)).toBe(separator);
  });

  it("may be told by the table", () => {
    expect(tableImportOptions("sep=;\na;b")).toMatch(/^59,34,76,2,1\/2\/2\/2/);
    expect(tableImportOptions("a,b")).toMatch(/^44,34,76,1,1\/2\/2\/2/);
  });
});
