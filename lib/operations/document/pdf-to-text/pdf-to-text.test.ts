import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pdfToText } from "#lib/operations/document/pdf-to-text/index.ts";
import { type DrawnPage, makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { makePdfBytes } from "#tests/samples/pdf/pdf-bytes.ts";
import { videoFolder } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

let files = 0;

function save(bytes: Buffer): string {
  const path = join(videoFolder(), `text-${++files}.pdf`);
  writeFileSync(path, bytes);
  return path;
}

async function run(bytes: Buffer | string, params: Record<string, unknown> = {}) {
  const path = typeof bytes === "string" ? bytes : save(bytes);
  const job = await runOperation(pdfToText, { path, type: "pdf" }, params);
  expect(job.outputs.map(({ extension }) => extension)).toEqual(["txt"]);
  return { ...job, text: readFileSync(job.outputs[0]?.path ?? "", "utf8") };
}

const page = (...texts: string[]): DrawnPage => ({
  lines: texts.map((text, index) => ({ text, y: 160 - 30 * index })),
});

const numbered = makePages(["one", "two", "three", "four", "five"].map((text) => page(text)));

test("each page ends where a form feed is, also between page ranges", async () => {
  const { text, result, outputs } = await run(numbered);
  expect(text.split("\f").map((part) => part.trim())).toEqual([
    "one",
    "two",
    "three",
    "four",
    "five",
  ]);
  expect(result).toEqual({ pages: 5, characters: 19 });
  expect(outputs[0]?.pages).toBe(5);
  const some = await run(numbered, { pages: "5,1-2,4-9" });
  expect(some.text.split("\f").map((part) => part.trim())).toEqual(["one", "two", "four", "five"]);
  expect(some.progress.at(-1)).toBe(100);
});

test("pages next to a gap of the page tree are read, with a warning", async () => {
  const kids = /\/Kids \[(\d+ 0 R) /;
  const source = makePages([page("one"), page("two")]).toString("latin1");
  expect(source).toMatch(kids);
  const gap = Buffer.from(source.replace(kids, "/Kids [$1 null "), "latin1");
  const { text, result, outputs, warnings } = await run(gap);
  expect(text.split("\f").map((part) => part.trim())).toEqual(["one", "two"]);
  expect(result).toEqual({ pages: 2, characters: 6 });
  expect(outputs).toHaveLength(1);
  expect(warnings).toEqual([expect.stringMatching(/^A PDF is damaged and was repaired/)]);
});

test("columns follow each other in reading order, or stay in their places", async () => {
  const rows = [0, 1, 2].map((row) => 160 - 15 * row);
  const columns = makePages([
    {
      lines: rows.flatMap((y, row) => [
        { text: `left ${row}`, x: 20, y, size: 10 },
        { text: `right ${row}`, x: 170, y, size: 10 },
      ]),
    },
  ]);
  const words = (text: string) => text.replace(/\s+/g, " ").trim();
  expect(words((await run(columns)).text)).toBe("left 0 left 1 left 2 right 0 right 1 right 2");
  const { text } = await run(columns, { layout: true });
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  expect(lines.map(words)).toEqual(["left 0 right 0", "left 1 right 1", "left 2 right 2"]);
  expect(new Set(lines.map((line) => line.indexOf("right"))).size).toBe(1);
});

test("Chinese, emoji, and text from right to left in the order of reading, without marks", async () => {
  // Glyphs are drawn from left to right, so that the last letter of the word is the first one.
  const { text } = await run(makePages([page("你好，世界 🎉", [..."שלום"].reverse().join(""))]));
  expect(text.split("\n").filter(Boolean)).toEqual(["你好，世界 🎉", "שלום"]);
});

test("rotated pages, and a file with an owner password only", async () => {
  const turned = save(makePages([{ ...page("turned by 90 degrees"), more: "/Rotate 90" }]));
  const locked = turned.replace(".pdf", "-locked.pdf");
  execProgram("qpdf", ["--encrypt", "", "owner", "256", "--", turned, locked]);
  expect((await run(locked)).text.trim()).toBe("turned by 90 degrees");
});

test("a scan has no text, and the job says so", async () => {
  const { text, warnings, result } = await run(makePages([{ content: "0 0 50 50 re f" }]));
  expect([text.trim(), result]).toEqual(["", { pages: 1, characters: 0 }]);
  expect(text).not.toBe("");
  expect(warnings?.[0]).toContain("document/ocr");
});

test("more pages than a document may have are refused before any is selected", async () => {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 9999999 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>",
  ];
  const pages = Array(666).fill("1-").join(",");
  const size = 10_000_001;
  await expect(run(makePdfBytes({ objects, size }), { pages })).rejects.toMatchObject({
    code: "too_complex",
    message: "PDF files may have at most 100,000 pages.",
  });
});

test("pages after the end, a password and a damaged file are errors", async () => {
  await expect(run(numbered, { pages: "6-9" })).rejects.toMatchObject({
    code: "empty",
    message: "`pages` does not match any page of the document, which has 5 pages.",
  });
  const locked = save(numbered).replace(".pdf", "-locked.pdf");
  execProgram("qpdf", ["--encrypt", "user", "owner", "256", "--", save(numbered), locked]);
  await expect(run(locked)).rejects.toMatchObject({ code: "encrypted" });
  await expect(run(Buffer.from("%PDF-1.7\nx"))).rejects.toMatchObject({ code: "corrupt" });
  for (const pages of ["0", "3-1", "a", "1;2", ""])
    expect(pdfToText.params.safeParse({ pages }).success).toBe(false);
});
