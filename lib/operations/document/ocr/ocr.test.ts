import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { documentOcr } from "#lib/operations/document/ocr/index.ts";
import { pdfA } from "#lib/operations/document/pdf-a/index.ts";
import { toSample } from "#tests/samples/images/images.ts";
import { makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { readWords } from "#tests/samples/pdf/pdf.ts";
import { findViolations } from "#tests/samples/pdf/pdf-a.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { videoFolder } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

const inputs = join(import.meta.dirname, "../../../../public/samples/inputs");

test("a scan becomes a PDF with its words at their places, and its text in the result", async () => {
  const sample = { path: join(inputs, "scan.jpg"), type: "jpeg" } as const;
  const { outputs, result, progress } = await runOperation(documentOcr, sample);
  const path = outputs[0]?.path ?? "";
  execProgram("qpdf", ["--check", path]);
  expect(result?.text).toContain("Harbor Mill & Co.");
  expect(result?.text).toContain("due within thirty days");
  const words = readWords(path);
  const [first, last] = ["Harbor", "harbor"].map((text) =>
    words.find((word) => word.text === text),
  );
  expect(first?.top).toBeLessThan(last?.top ?? 0);
  expect(first?.left).toBeLessThan(200);
  expect(progress.at(-1)).toBeGreaterThan(90);
});

test.each([90, 180])("a scan that is turned by %i degrees is upright afterwards", async (angle) => {
  const path = join(videoFolder(), `turned-${angle}.png`);
  await sharp(join(inputs, "scan.jpg")).rotate(angle).png().toFile(path);
  const { outputs, result } = await runOperation(documentOcr, { path, type: "png" });
  expect(result?.text).toContain("due within thirty days");
  const words = readWords(outputs[0]?.path ?? "");
  const [first, last] = ["Harbor", "harbor"].map((text) =>
    words.find((word) => word.text === text),
  );
  expect(first?.top).toBeLessThan(last?.top ?? 0);
});

test("a page with text stays as it is", async () => {
  const path = join(videoFolder(), "text-page.pdf");
  writeFileSync(path, makePages([{ lines: [{ text: "Written, not scanned", y: 100 }] }]));
  const { outputs, result } = await runOperation(documentOcr, { path, type: "pdf" });
  expect(result?.text).toBe("Written, not scanned");
  const output = outputs[0]?.path ?? "";
  expect(execProgram("pdfimages", ["-list", output]).toString().trim().split("\n")).toHaveLength(2);
  expect(readFileSync(output).length).toBeLessThan(20_000);
});

test("a PDF/A-1 file stays one", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
  const archive = await runOperation(pdfA, sample, { level: "1b" });
  const input = { path: archive.outputs[0]?.path ?? "", type: "pdf" } as const;
  const { outputs, result } = await runOperation(documentOcr, input);
  expect(result?.text).toContain("Page 1");
  expect(findViolations(outputs[0]?.path ?? "", "1b")).toEqual([]);
});

test("an owner password stays", async () => {
  const path = join(videoFolder(), "owned.pdf");
  const plain = join(videoFolder(), "plain.pdf");
  writeFileSync(plain, makePages([{ lines: [{ text: "Not to be copied", y: 100 }] }]));
  execProgram("qpdf", ["--encrypt", "", "owner", "256", "--extract=n", "--", plain, path]);
  const { outputs, result } = await runOperation(documentOcr, { path, type: "pdf" });
  expect(result?.text).toBe("Not to be copied");
  const info = execProgram("pdfinfo", [outputs[0]?.path ?? ""], { encoding: "utf8" });
  expect(info).toMatch(/Encrypted: +yes.*copy:no/);
});

test("an owner password of a PDF/A-1 file stays", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 1 }));
  const archive = await runOperation(pdfA, sample, { level: "1b" });
  const path = archive.outputs[0]?.path ?? "";
  encryptPdf(path, "", "--extract=n");
  const { outputs } = await runOperation(documentOcr, { path, type: "pdf" });
  const info = execProgram("pdfinfo", [outputs[0]?.path ?? ""], { encoding: "utf8" });
  expect(info).toMatch(/Encrypted: +yes.*copy:no/);
});

test("a password, a damaged file and unknown languages are errors", async () => {
  const locked = { path: join(inputs, "contract-protected.pdf"), type: "pdf" } as const;
  await expect(runOperation(documentOcr, locked)).rejects.toMatchObject({ code: "encrypted" });
  const path = join(videoFolder(), "damaged-scan.pdf");
  writeFileSync(path, "%PDF-1.7\nx");
  const damaged = runOperation(documentOcr, { path, type: "pdf" });
  await expect(damaged).rejects.toMatchObject({ code: "corrupt" });
  expect(documentOcr.params.safeParse({ languages: "xyz" }).success).toBe(false);
});
