import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parsePdfInfo, readPdfInfo, removePdfMetadata } from "#lib/engines/pdf/qpdf.ts";
import { makePdf, unpackPdf } from "#tests/samples/metadata.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const never = new AbortController().signal;

/** A work folder with `pdf` in it, changed by qpdf with `args` first. */
async function place(pdf: Buffer, ...args: string[]) {
  const work = temporaryWorkFolder();
  const file = work.input("pdf");
  await writeFile(file.path, pdf);
  if (args.length > 0) execFileSync("qpdf", [file.path, "--replace-input", ...args]);
  return { work, file, output: work.output("pdf") };
}

describe("readPdfInfo", () => {
  test("tells pages, their sizes, version and titles", async () => {
    const { file, work } = await place(makePdf());
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

  test("tells a turned page's size as it is seen", async () => {
    const { file, work } = await place(makePdf(), "--rotate=+90");
    const { pageSizes } = await readPdfInfo(file, work, never);
    expect(pageSizes).toEqual([{ width: 200, height: 300 }]);
  });

  test("reads a PDF that only its owner's password protects, and says so", async () => {
    const { file, work } = await place(makePdf(), "--encrypt", "", "owner", "256", "--");
    expect(await readPdfInfo(file, work, never)).toMatchObject({ encrypted: true, pages: 1 });
  });

  test("a title that looks like other lines changes none of them", () => {
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
  test("of a PDF with warnings succeeds", async () => {
    const broken = Buffer.from(
      makePdf()
        .toString("latin1")
        .replace(/startxref\n\d+/, "startxref\n1"),
      "latin1",
    );
    const { file, output, work } = await place(broken);
    await removePdfMetadata(file, output, work, never);
    expect(unpackPdf(output.path)).not.toContain("Secret");
  });

  test("keeps the form of a linearised PDF", async () => {
    const { file, output, work } = await place(makePdf(), "--linearize");
    await removePdfMetadata(file, output, work, never);
    expect(await readPdfInfo(output, work, never)).toMatchObject({ linearized: true });
  });

  test("keeps the owner's restrictions", async () => {
    const { file, output, work } = await place(
      makePdf(),
      "--encrypt",
      "",
      "owner",
      "256",
      "--print=none",
      "--",
    );
    await removePdfMetadata(file, output, work, never);
    const facts = execFileSync("pdfinfo", [output.path], { encoding: "utf8" });
    expect(facts).toMatch(/Encrypted: +yes \(print:no/);
    expect(facts).not.toContain("Secret");
  });
});

describe("a PDF that cannot be read", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  test.each([
    ["garbage after %PDF", Buffer.from("%PDF-1.7\ngarbage"), "corrupt"],
    ["no PDF", Buffer.from("hello"), "corrupt"],
    [
      "arrays 100,000 deep",
      Buffer.from(`%PDF-1.7\n1 0 obj\n${deep}\nendobj\ntrailer<</Root 1 0 R>>`),
      "corrupt",
    ],
  ] as const)("of %s is %s", async (_, pdf, code) => {
    const { file, output, work } = await place(pdf);
    await expect(readPdfInfo(file, work, never)).rejects.toMatchObject({ code });
    await expect(removePdfMetadata(file, output, work, never)).rejects.toMatchObject({ code });
  });

  test("without its user's password is said to be encrypted, with no path in the sentence", async () => {
    const { file, output, work } = await place(
      makePdf(),
      "--encrypt",
      "user",
      "owner",
      "256",
      "--",
    );
    const refusal = { code: "encrypted", message: expect.not.stringMatching(/\/|in\//) };
    await expect(readPdfInfo(file, work, never)).rejects.toMatchObject(refusal);
    await expect(removePdfMetadata(file, output, work, never)).rejects.toMatchObject(refusal);
  });

  test("because it was stopped rejects as stopped", async () => {
    const { file, work } = await place(makePdf());
    await expect(readPdfInfo(file, work, AbortSignal.abort())).rejects.toMatchObject({
      aborted: true,
    });
  });
});
