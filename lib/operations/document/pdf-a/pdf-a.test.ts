import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { findViolations } from "#tests/samples/pdf/pdf-a.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { pdfA } from "./index.ts";

const call = (command: string, ...args: string[]) =>
  execProgram(command, args, { encoding: "utf8" });

async function convert(sample: Sample, level: string) {
  const { outputs, warnings = [] } = await runOperation(pdfA, sample, { level });
  return { path: outputs[0]?.path ?? "", pages: outputs[0]?.pages, text: warnings.join(" ") };
}

const input = (name: string): Sample => ({
  path: join(import.meta.dirname, "../../../../public/samples/inputs", name),
  type: "pdf",
});

const extract = (path: string) => call("pdftotext", "-layout", path, "-");

it("changes objects only where it can: text, tags and links stay", async () => {
  const sample = input("contract.pdf");
  const { path, text } = await convert(sample, "2b");
  expect(findViolations(sample.path, "2b")).toContain("part");
  expect(findViolations(path, "2b")).toEqual([]);
  expect(extract(path)).toBe(extract(sample.path));
  expect(call("pdfinfo", path)).toMatch(/Tagged: +yes/);
  expect(text).toBe("");
});

it("level 1b has no transparency and looks the same", async () => {
  const sample = input("brochure.pdf");
  const { path, text } = await convert(sample, "1b");
  expect(findViolations(path, "1b")).toEqual([]);
  expect(text).toContain("tags");
  const render = (file: string) =>
    execFileSync("pdftoppm", ["-r", "20", "-l", "1", "-gray", file], { encoding: "buffer" });
  const before = render(sample.path);
  const after = render(path);
  const total = before.reduce((sum, value, at) => sum + Math.abs(value - (after[at] ?? 0)), 0);
  expect(total / before.length).toBeLessThan(7);
});

it.each(["2b", "3b"])("embeds standard fonts, and keeps bookmarks and links: %s", async (level) => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 2 }));
  const { path, pages, text } = await convert(sample, level);
  expect(findViolations(path, level)).toEqual([]);
  expect(pages).toBe(2);
  const rich = readRichPdf(path);
  expect(JSON.stringify(rich)).toContain("Start>1[Page 1>1 Page 2>2]");
  expect(call("pdfdetach", "-list", path)).toContain(level === "3b" ? "notes.txt" : "0 embedded");
  expect(text.includes("attached files were dropped")).toBe(level === "2b");
  expect(text).toContain("form fields");
});

it("keeps the bookmarks of a file without information dictionary", async () => {
  const { path } = await convert(await toSample("pdf", makeRichPdf({ pages: 2, info: "" })), "2b");
  expect(JSON.stringify(readRichPdf(path))).toContain("Start>1[Page 1>1 Page 2>2]");
});

it("removes scripts, hidden annotations, LZW and CMYK, and reads a password-free encryption", async () => {
  // LZW of three bytes "-" and the end, as in the specification of PDF.
  const lzw = Buffer.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01]);
  const pdf = makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R /Names << /JavaScript << /Names [(a) 6 0 R] >> >> >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100 100] /Resources << /XObject << /AA 5 0 R >> /ExtGState << /A << /TR /Identity >> >> >> >>",
      "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /AA << /O 6 0 R >> /Annots [7 0 R 8 0 R 9 0 R] >>",
      pdfStream("", "1 0 0 0 k 0 0 50 50 re f q 50 0 0 50 50 50 cm /AA Do Q"),
      pdfStream(
        "/Type /XObject /Subtype /Image /Width 3 /Height 3 /BitsPerComponent 8 /ColorSpace /DeviceGray /Interpolate true /Filter /LZWDecode",
        lzw,
      ),
      "<< /S /JavaScript /JS (app.alert\\(1\\)) >>",
      "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (a.exe) >> >>",
      "<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] /F 2 >>",
      "<< /Type /Annot /Subtype /Link /Rect [9 9 20 20] /A << /S /URI /URI (https://example.com/) >> >>",
    ],
  });
  const sample = await toSample("pdf", pdf);
  const locked = `${sample.path}.locked.pdf`;
  call("qpdf", "--encrypt", "", "owner", "256", "--", sample.path, locked);
  const { path, text } = await convert({ path: locked, type: "pdf" }, "2b");
  expect(findViolations(path, "2b")).toEqual([]);
  expect(text).toMatch(/Scripts.*Annotations/);
  expect(call("qpdf", "--qdf", "--object-streams=disable", path, "-")).toContain("example.com");
  const pixels = execProgram("pdftoppm", ["-r", "72", path]).subarray(-30_000);
  // Cyan at the bottom left.
  const [red = 255, green = 0, blue = 0] = pixels.subarray(3 * (70 * 100 + 30));
  expect(red).toBeLessThan(100);
  expect(Math.min(green, blue)).toBeGreaterThan(120);
});

it("refuses a file that needs a password, and unknown levels", async () => {
  await expect(convert(input("contract-protected.pdf"), "2b")).rejects.toMatchObject({
    code: "encrypted",
  });
  for (const level of ["1a", "4", ""]) {
    expect(pdfA.params.safeParse({ level }).success).toBe(false);
  }
});

it.each([
  ["a text", (title: string) => `(${title.replaceAll("A", "\\101")})`],
  ["UTF-16", (title: string) => `<feff${Buffer.from(title, "utf16le").swap16().toString("hex")}>`],
  ["UTF-8", (title: string) => `<efbbbf${Buffer.from(title).toString("hex")}>`],
])("keeps the start of a long title: %s", async (_, write) => {
  const title = "A long títle ".repeat(50_000);
  const bytes = makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
      `<< /Title ${write(title)} >>`,
    ],
    trailer: "/Info 4 0 R",
  });
  const { path } = await convert(await toSample("pdf", bytes), "2b");
  expect(/^Title: +(.*)$/m.exec(call("pdfinfo", path))?.[1]).toBe(title.slice(0, 4000).trim());
  expect(findViolations(path, "2b")).toEqual([]);
});
