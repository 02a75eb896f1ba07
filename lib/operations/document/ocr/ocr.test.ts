import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { documentOcr } from "#lib/operations/document/ocr/index.ts";
import { pdfA } from "#lib/operations/document/pdf-a/index.ts";
import { toSample } from "#tests/samples/images/images.ts";
import { firstExtra, makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { readWords } from "#tests/samples/pdf/pdf.ts";
import { findViolations } from "#tests/samples/pdf/pdf-a.ts";
import { pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
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

test.each([
  ["a scan", {}],
  ["a page with text that is read as a picture", { deskew: false, force: true }],
])("the crop of %s stays", async (_name, params: { deskew?: boolean; force?: boolean }) => {
  const picture = await sharp(join(inputs, "scan.jpg")).resize({ width: 1200 }).jpeg().toBuffer();
  const { height } = await sharp(picture).metadata();
  const text = params.force ? [{ text: "Written", y: 300 }] : [];
  const size = `/Width 1200 /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
  const page = {
    lines: text,
    content: `q 400 0 0 ${Math.round(height / 3)} 0 0 cm /I Do Q`,
    box: [0, 0, 400, Math.round(height / 3)],
    more: "/CropBox [-50 20 400 400] /Rotate 90",
  } as const;
  const image = pdfStream(`/Type /XObject /Subtype /Image ${size} /Filter /DCTDecode`, picture);
  const resources = `/XObject << /I ${firstExtra([page])} 0 R >>`;
  const path = join(videoFolder(), `cropped-${text.length}.pdf`);
  writeFileSync(path, makePages([page], { resources, extra: [image] }));
  const { outputs } = await runOperation(documentOcr, { path, type: "pdf" }, params);
  const info = execProgram("pdfinfo", ["-box", outputs[0]?.path ?? ""]).toString();
  expect(info).toMatch(/Page size: +(300 x 400|400 x 300) pts/);
  expect(info).toMatch(/CropBox: +0\.00 +0\.00 +(300\.00 +400\.00|400\.00 +300\.00)/);
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
