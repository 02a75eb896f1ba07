import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { countPages, readUnits } from "#lib/engines/pdf/run-qpdf.ts";
import type { Operation } from "#lib/operations/define.ts";
import { flattenPdf } from "#lib/operations/document/flatten-pdf/index.ts";
import { pageNumbers } from "#lib/operations/document/page-numbers/index.ts";
import { rotatePdf } from "#lib/operations/document/rotate-pdf/index.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";

/** A PDF of two pages, whose page tree has these kids and this number of pages; `more` is the object 7. */
function makeTree(kids: string, count: number, more = "null"): Buffer {
  const page = (contents: number) =>
    `<< /Type /Page /Parent 2 0 R /UserUnit 2 /Contents ${contents} 0 R >>`;
  const text = (value: string) => pdfStream("", `BT /F1 24 Tf 40 100 Td (${value}) Tj ET`);
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  const resources = `/MediaBox [0 0 300 200] /Resources << /Font << /F1 ${font} >> >>`;
  return makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids ${kids} /Count ${count} ${resources} >>`,
      page(5),
      page(6),
      text("First"),
      text("Last"),
      more,
    ],
  });
}

const inner = "<< /Type /Pages /Parent 2 0 R /Kids [3 0 R null] /Count 2 >>";

const trees: readonly [string, Buffer][] = [
  ["a null", makeTree("[null 3 0 R 4 0 R]", 2)],
  ["a null that is counted", makeTree("[3 0 R null 4 0 R]", 3)],
  ["an object that does not exist", makeTree("[3 0 R 20 0 R 4 0 R]", 2)],
  ["a missing object that is counted", makeTree("[3 0 R 20 0 R 4 0 R]", 3)],
  ["kids in an object of their own", makeTree("7 0 R", 2, "[3 0 R null 4 0 R]")],
  ["a node below another one", makeTree("[7 0 R 4 0 R]", 3, inner)],
  ["a node in its parent", makeTree(`[${inner} 4 0 R]`, 3)],
];

async function save(bytes: Buffer) {
  const work = temporaryWorkFolder();
  const file = work.input("pdf");
  await writeFile(file.path, bytes);
  return { work, file };
}

const never = new AbortController().signal;

it.each(trees)("pages next to a gap of the page tree are counted: %s", async (_, bytes) => {
  const { work, file } = await save(bytes);
  expect(await countPages(file, work, never)).toMatchObject({ pages: 2, repaired: true });
  expect(await readUnits(file, work, never)).toEqual([{ first: 1, last: 2, points: 2 }]);
});

it.each<[string, Operation, Record<string, unknown>]>([
  ["rotate-pdf", rotatePdf, { angle: 180 }],
  ["page-numbers", pageNumbers, { format: "{page} of {pages}" }],
  ["flatten-pdf", flattenPdf, {}],
])("%s writes a page tree without gaps", async (_, operation, params) => {
  for (const [, bytes] of trees) {
    const { file } = await save(bytes);
    const { outputs } = await runOperation(operation, { path: file.path, type: "pdf" }, params);
    const path = outputs[0]?.path ?? "";
    const run = (command: string, ...args: string[]) =>
      execProgram(command, args, { encoding: "utf8" });
    expect(run("qpdf", "--check", path)).toContain("No syntax");
    expect(run("qpdf", "--show-npages", path).trim()).toBe("2");
    expect(run("pdfinfo", path)).toMatch(/^Pages: +2$/m);
    expect(run("pdftotext", path, "-")).toMatch(/First[\s\S]*\f[\s\S]*Last/);
  }
});

it("pages of an array that two nodes share are listed for each node", async () => {
  const page = (unit: number) => `<< /Type /Page /Parent 2 0 R /UserUnit ${unit} >>`;
  const node = "<< /Type /Pages /Parent 2 0 R /Kids 8 0 R /Count 2 >>";
  const { work, file } = await save(
    makePdfBytes({
      objects: [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 5 /MediaBox [0 0 300 200] >>",
        node,
        node,
        page(2),
        page(3),
        page(4),
        "[6 0 R 7 0 R]",
      ],
    }),
  );
  const spans = [3, 4, 3, 4, 2].map((points, at) => ({ first: at + 1, last: at + 1, points }));
  expect(await readUnits(file, work, never)).toEqual(spans);
});

it.each([
  ["before a page", "[LOOP 3 0 R]"],
  ["after a page", "[3 0 R LOOP]"],
  ["without a page", "[LOOP]"],
])("an array of kids is refused that has itself in a node %s", async (_, kids) => {
  const loop = "<< /Type /Pages /Parent 2 0 R /Kids 7 0 R /Count 1 >>";
  const { work, file } = await save(makeTree("7 0 R", 2, kids.replace("LOOP", loop)));
  for (const read of [countPages, readUnits])
    await expect(read(file, work, never)).rejects.toMatchObject({ code: "corrupt" });
});

it("a tree that refers to itself very often is refused at once", async () => {
  const loop = `[null ${"2 0 R ".repeat(50_000)}]`;
  const { work, file } = await save(makeTree(loop, 2));
  await expect(countPages(file, work, never)).rejects.toMatchObject({ code: "corrupt" });
}, 20_000);
