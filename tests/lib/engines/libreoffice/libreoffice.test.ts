import { writeFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import {
  closeLibreOffice,
  convertToPdf,
  exportOffice,
  type OfficeRequest,
} from "#lib/engines/libreoffice/libreoffice.ts";
import { findSeparator, tableImportOptions } from "#lib/formats/office/text-import.ts";
import { mediaType } from "#lib/media/types.ts";
import { listZip } from "#tests/samples/metadata.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

afterAll(() => closeLibreOffice());

/** Converts `text`; returns the text of the PDF. */
async function convert(text: string, request: Partial<OfficeRequest> = {}): Promise<string> {
  const work = temporaryWorkFolder();
  const input = work.input("txt");
  const output = work.output("pdf");
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

/** Takes LibreOffice several seconds. */
const long = "word ".repeat(1_000_000);

describe("a document that takes too long", () => {
  it("is stopped by its timeout, and the next one is converted", async () => {
    await expect(convert(long, { timeoutMs: 500 })).rejects.toMatchObject({
      name: "JobError",
      code: "timed_out",
    });
    await expect(convert("next")).resolves.toBe("next");
  });

  it("is stopped at once if its caller aborts, and the next one is converted", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const start = Date.now();
    await expect(convert(long, { signal: stop.signal })).rejects.toMatchObject({
      name: "EngineError",
      aborted: true,
    });
    // Without an end, the timeout of the conversion would be the next one.
    expect(Date.now() - start).toBeLessThan(15_000);
    await expect(convert("next")).resolves.toBe("next");
  });
});

it("a caller that has already aborted starts nothing", async () => {
  const run = convert("x", { signal: AbortSignal.abort() });
  await expect(run).rejects.toMatchObject({ aborted: true });
});

it("a document is loaded without menus and toolbars, whose layout would be written into it", async () => {
  const work = temporaryWorkFolder();
  const input = { ...work.input("txt"), type: mediaType("txt") };
  const output = work.output("odt");
  await writeFile(input.path, "text");
  const signal = new AbortController().signal;
  await exportOffice({ input, output, work, signal }, { export: "writer8" });
  const parts = listZip(output.path);
  expect(parts).toContain("content.xml");
  expect(parts.filter((name) => name.startsWith("Configurations2"))).toEqual([]);
});

it("rejects a type that is not an office document", async () => {
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

  it("can be declared by the table", () => {
    expect(tableImportOptions("sep=;\na;b")).toMatch(/^59,34,76,2,1\/2\/2\/2/);
    expect(tableImportOptions("a,b")).toMatch(/^44,34,76,1,1\/2\/2\/2/);
  });
});
