import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import {
  parsePdfInfo,
  readPageInfo,
  readPdfInfo,
  removePdfMetadata,
} from "#lib/engines/pdf/qpdf.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { makePdf, unpackPdf } from "#tests/samples/metadata.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const never = new AbortController().signal;

/** Creates a work folder with `pdf`. */
async function save(pdf: Buffer, limits: Partial<FileLimits> = {}) {
  const work = temporaryWorkFolder(limits);
  const file = work.input("pdf");
  await writeFile(file.path, pdf);
  return { work, file };
}

/** Creates a work folder with `pdf`, which qpdf has changed with `args`. */
async function prepare(pdf: Buffer, ...args: string[]) {
  const { work, file } = await save(pdf);
  if (args.length > 0) execProgram("qpdf", [file.path, "--replace-input", ...args]);
  return { work, file, output: work.output("pdf") };
}

/** Removes where the cross-reference table begins. qpdf warns, and searches for the objects. */
const damage = (pdf: Buffer) =>
  Buffer.from(pdf.toString("latin1").replace(/startxref\n\d+/, "startxref\n1"), "latin1");

/** A PDF with an XFA form, whose catalog has `more`, and with so many objects that nothing refers to. */
const makeForm = (more: string, unused = 0) =>
  makePdfBytes({
    objects: [
      `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA 4 0 R >> ${more} >>`,
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
      pdfStream("", "<xdp:xdp/>"),
      ...Array<string>(unused).fill("null"),
    ],
  });

describe("readPdfInfo", () => {
  test("returns pages, their sizes, version and title", async () => {
    const { file, work } = await prepare(makePdf());
    expect(await readPdfInfo(file, work, never)).toMatchObject({
      pages: 1,
      pageSizes: [{ width: 300, height: 200 }],
      encrypted: false,
      version: "1.7",
      title: "Secret title",
      producer: "Secret",
      createdAt: "2020-01-02T03:04:05Z",
      linearized: false,
    });
  });

  test("returns the size of a rotated page as it is displayed", async () => {
    const { file, work } = await prepare(makePdf(), "--rotate=+90");
    const { pageSizes } = await readPdfInfo(file, work, never);
    expect(pageSizes).toEqual([{ width: 200, height: 300 }]);
  });

  test("reads a PDF with an owner password only, and reports its encryption", async () => {
    const { file, work } = await prepare(makePdf(), "--encrypt", "", "owner", "256", "--");
    expect(await readPdfInfo(file, work, never)).toMatchObject({ encrypted: true, pages: 1 });
  });

  test("a form whose pages only Acrobat makes is a warning, another XFA form is none", async () => {
    const dynamic = await prepare(makeForm("/NeedsRendering true"));
    await readPageInfo(dynamic.file, dynamic.work, never);
    expect(dynamic.work.takeWarnings()).toEqual([expect.stringContaining("dynamic XFA form")]);
    const fixed = await prepare(makeForm(""));
    await readPageInfo(fixed.file, fixed.work, never);
    expect(fixed.work.takeWarnings()).toEqual([]);
  });

  test.each<[string, Partial<FileLimits>, Buffer]>([
    ["takes too long", { pdfSeconds: 0.001 }, makeForm("/NeedsRendering true", 50_000)],
    ["writes more than it may", { resultBytes: 1 }, damage(makeForm("/NeedsRendering true"))],
  ])("a PDF is read by poppler if qpdf %s", async (_, limits, pdf) => {
    const { file, work } = await save(pdf, limits);
    expect(await readPageInfo(file, work, never)).toMatchObject({ pages: 1 });
    expect(work.takeWarnings()).toEqual([]);
  });

  test("an abort while qpdf reads is no failure of the file", async () => {
    const { file, work } = await save(makePdf());
    await expect(readPageInfo(file, work, AbortSignal.abort())).rejects.toMatchObject({
      engine: "qpdf",
      aborted: true,
    });
  });

  test("does not confuse a title with other lines of the output", () => {
    const text =
      "Title:           a\nPages:           99\nEncrypted:       yes\nPage    1 size:  1 x 1 pts\n" +
      "Pages:           2\nEncrypted:       no\nPage    1 size:  612 x 792 pts (letter)\nPage    1 rot:   0\n";
    expect(parsePdfInfo(text)).toMatchObject({
      pages: 2,
      encrypted: false,
      pageSizes: [{ width: 612, height: 792 }],
    });
  });
});

describe("removePdfMetadata", () => {
  test("succeeds for a PDF with warnings", async () => {
    const { file, output, work } = await prepare(damage(makePdf()));
    await removePdfMetadata(file, output, work, never);
    expect(unpackPdf(output.path)).not.toContain("Secret");
  });

  test("keeps a PDF linearized", async () => {
    const { file, output, work } = await prepare(makePdf(), "--linearize");
    await removePdfMetadata(file, output, work, never);
    expect(await readPdfInfo(output, work, never)).toMatchObject({ linearized: true });
  });

  test("keeps the restrictions of the owner", async () => {
    const { file, output, work } = await prepare(
      makePdf(),
      "--encrypt",
      "",
      "owner",
      "256",
      "--print=none",
      "--",
    );
    await removePdfMetadata(file, output, work, never);
    const info = execProgram("pdfinfo", [output.path], { encoding: "utf8" });
    expect(info).toMatch(/Encrypted: +yes \(print:no/);
    expect(info).not.toContain("Secret");
  });
});

describe("a PDF that cannot be read", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  test.each([
    ["garbage after %PDF", Buffer.from("%PDF-1.7\ngarbage"), "corrupt"],
    ["another file type", Buffer.from("hello"), "corrupt"],
    [
      "arrays 100,000 deep",
      Buffer.from(`%PDF-1.7\n1 0 obj\n${deep}\nendobj\ntrailer<</Root 1 0 R>>`),
      "corrupt",
    ],
  ] as const)("%s is corrupt", async (_, pdf, code) => {
    const { file, output, work } = await prepare(pdf);
    await expect(readPdfInfo(file, work, never)).rejects.toMatchObject({ code });
    await expect(removePdfMetadata(file, output, work, never)).rejects.toMatchObject({ code });
  });

  test("fails as encrypted without its password, and the message has no path", async () => {
    const { file, output, work } = await prepare(
      makePdf(),
      "--encrypt",
      "user",
      "owner",
      "256",
      "--",
    );
    const failure = { code: "encrypted", message: expect.not.stringMatching(/\/|in\//) };
    await expect(readPdfInfo(file, work, never)).rejects.toMatchObject(failure);
    await expect(removePdfMetadata(file, output, work, never)).rejects.toMatchObject(failure);
  });

  test("rejects as aborted if it is aborted", async () => {
    const { file, work } = await prepare(makePdf());
    await expect(readPdfInfo(file, work, AbortSignal.abort())).rejects.toMatchObject({
      aborted: true,
    });
  });
});
