import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import {
  makeOfficeSamples,
  type OfficeSamples,
  officePages,
  temporaryFolder,
} from "#tests/samples/documents.ts";
import { readPdf, readWords } from "#tests/samples/pdf/pdf.ts";
import { type OperationRun, runOperation } from "#tests/support/operation.ts";

let folder: string;
let remove: () => Promise<void>;
let samples: OfficeSamples;
let count = 0;

beforeAll(async () => {
  [folder, remove] = await temporaryFolder();
  samples = await makeOfficeSamples(folder);
});

afterAll(() => remove());

async function convert(
  type: MediaTypeId,
  content: string | Buffer,
  params: Record<string, unknown> = {},
): Promise<OperationRun & { path: string }> {
  const path = join(folder, `case-${count++}.${type}`);
  await writeFile(path, content);
  const run = await runOperation(docToPdf, { path, type }, params);
  return { ...run, path: run.outputs[0]?.path ?? "" };
}

/** The bytes of the sample of `type`. */
function sample(type: MediaTypeId): Promise<Buffer> {
  return readFile(samples.get(type)?.path ?? "");
}

describe("an office document becomes a PDF with all its pages and text", () => {
  it.each([
    ["docx", 595, 842],
    ["odt", 595, 842],
    ["doc", 595, 842],
    ["rtf", 595, 842],
    ["xlsx", 595, 842],
    ["ods", 595, 842],
    ["xls", 595, 842],
    ["pptx", 794, 446],
    ["odp", 794, 446],
    ["ppt", 794, 446],
  ] as const)("%s", async (type, width, height) => {
    const { path, outputs } = await convert(type, await sample(type));
    const facts = readPdf(path);
    expect(facts).toMatchObject({ pages: officePages.length });
    expect(outputs).toMatchObject([{ pages: officePages.length, extension: "pdf" }]);
    for (const text of officePages) expect(facts.text).toContain(text);
    expect(facts.width).toBeCloseTo(width, -1);
    expect(facts.height).toBeCloseTo(height, -1);
  });
});

describe("page ranges", () => {
  it.each([
    ["docx", "2", ["Beta"]],
    ["docx", "3,1", ["Alpha", "Gamma"]],
    ["docx", "2-9", ["Beta", "Gamma"]],
    ["xlsx", "2", ["Beta"]],
    ["xls", "1-2,7", ["Alpha", "Beta"]],
    ["pptx", "3", ["Gamma"]],
    ["odp", "2-3", ["Beta", "Gamma"]],
  ] as const)("of %s: %s", async (type, page_ranges, kept) => {
    const { path, outputs } = await convert(type, await sample(type), { page_ranges });
    const { text, pages } = readPdf(path);
    expect(text.match(/Alpha|Beta|Gamma/g)).toEqual(kept);
    expect(pages).toBe(kept.length);
    expect(outputs[0]?.pages).toBe(kept.length);
  });

  it.each(["docx", "xlsx", "pptx"] as const)("after the end of %s fail", async (type) => {
    const run = convert(type, await sample(type), { page_ranges: "4-5" });
    await expect(run).rejects.toMatchObject({ name: "JobError", code: "empty" });
  });

  it.each([
    ["2-3", 1],
    ["2", 0],
  ])("of a presentation whose second slide is hidden: %s", async (page_ranges, pages) => {
    const spaces = [
      ["office", "office"],
      ["style", "style"],
      ["draw", "drawing"],
      ["presentation", "presentation"],
    ].map(([name, space]) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${space}:1.0"`);
    const hidden = `<style:style style:name="hidden" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>`;
    const slides = `<draw:page/><draw:page draw:style-name="hidden"/><draw:page/>`;
    const content = `<office:document ${spaces.join(" ")} office:mimetype="application/vnd.oasis.opendocument.presentation" office:version="1.2"><office:automatic-styles>${hidden}</office:automatic-styles><office:body><office:presentation>${slides}</office:presentation></office:body></office:document>`;
    const run = convert("fodp", content, { page_ranges });
    if (pages > 0) expect(readPdf((await run).path).pages).toBe(pages);
    else await expect(run).rejects.toMatchObject({ name: "JobError", code: "empty" });
  });

  it.each(["0", "5-2", "a", "", "1-"])("%j is rejected", async (page_ranges) => {
    await expect(convert("txt", "x", { page_ranges })).rejects.toMatchObject({ name: "ZodError" });
  });
});

describe("text", () => {
  it.each([
    ["UTF-8", Buffer.from("Grüße 你好"), "Grüße 你好"],
    ["UTF-8 with a byte order mark", Buffer.from("\ufeffGrüße"), "Grüße"],
    ["UTF-16, little-endian", Buffer.from("\ufeffGrüße", "utf16le"), "Grüße"],
    ["UTF-16, big-endian", Buffer.from("\ufeffGrüße", "utf16le").swap16(), "Grüße"],
    ["Windows-1252", Buffer.from("Gr\xfc\xdfe \x80 5", "latin1"), "Grüße € 5"],
    ["all kinds of line breaks", Buffer.from("a\r\nb\rc\nd"), "a b c d"],
    ["nothing", Buffer.alloc(0), ""],
  ])("in %s is decoded", async (_, content, text) => {
    expect(readPdf((await convert("txt", content)).path)).toMatchObject({ text, pages: 1 });
  });
});

describe("a table", () => {
  it.each([",", ";", "\t", "|"])(
    "with the separator %j is split into columns",
    async (separator) => {
      const rows = [
        ["name", "id"],
        ["Ünal", "007"],
        [`"a,b;c|d"`, "1.50"],
      ];
      const { path } = await convert("csv", rows.map((row) => row.join(separator)).join("\r\n"));
      const words = readWords(path);
      const left = (text: string) => words.find((word) => word.text === text)?.left;
      expect(words.map((word) => word.text).toSorted()).toEqual(
        ["name", "id", "Ünal", "007", "a,b;c|d", "1.50"].toSorted(),
      );
      expect(left("007")).toBe(left("id"));
      expect(left("1.50")).toBe(left("id"));
      expect(left("Ünal")).toBe(left("name"));
    },
  );

  it("may declare its separator in a first line, which is not printed", async () => {
    const { path } = await convert("csv", "sep=#\na#b\n1,2#3");
    expect(readPdf(path).text).toBe("a b 1,2 3");
  });

  it("that is slightly too wide is scaled to fit, and a far wider one continues on further pages", async () => {
    const table = (columns: number) =>
      Array.from({ length: columns }, () => "a".repeat(20)).join(",");
    const pages = [];
    for (const columns of [3, 7, 20])
      pages.push((await convert("csv", table(columns))).outputs[0]?.pages);
    expect(pages.slice(0, 2)).toEqual([1, 1]);
    expect(pages[2]).toBeGreaterThan(1);
  });

  it("does not evaluate formulas", async () => {
    const { path } = await convert("csv", "a,b\n=1+1,2");
    expect(readPdf(path).text).toContain("=1+1");
  });
});

it("two concurrent documents do not affect each other", async () => {
  const words = Array.from({ length: 6 }, (_, index) => `word${index}`);
  const runs = await Promise.all(words.map((word) => convert("txt", word)));
  expect(runs.map(({ path }) => readPdf(path).text)).toEqual(words);
});
