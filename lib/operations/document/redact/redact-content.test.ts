import { expect, test } from "vitest";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { redactPdf, sourceOfPdf, textOfPdf } from "#tests/support/redacted-pdf.ts";

interface PageSource {
  readonly content: string;
  /** Entries of the resources, in addition to the font `F1`, which is object 5. */
  readonly resources?: string;
  /** Entries of the page. */
  readonly page?: string;
  /** Entries of the catalog. */
  readonly catalog?: string;
  /** Pages in addition; the first page is object 3. */
  readonly pages?: string;
  /** Objects from 6 on. */
  readonly objects?: readonly (string | Buffer)[];
}

const font = "/Font << /F1 5 0 R >>";

/** A page of 400 × 800 points. */
function makePage(source: PageSource): Buffer {
  const { content, resources = "", page = "", catalog = "", pages = "", objects = [] } = source;
  return makePdfBytes({
    objects: [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      `<< /Type /Pages /Kids [3 0 R ${pages}] /Count ${pages ? 2 : 1} >>`,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 800] /Contents 4 0 R /Resources << ${font} ${resources} >> ${page} >>`,
      pdfStream("", content),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
      ...objects,
    ],
  });
}

/** A character of Courier at 12 points is 7.2 points wide; a line at y = 700 is 100 points from the top. */
const region = (left: number, width: number, top = 85, height = 20) => ({
  regions: [{ page: 1, left, top, width, height }],
});

const form = (content: string, entries = "") =>
  pdfStream(
    `/Type /XObject /Subtype /Form /BBox [0 0 400 800] ${entries}`,
    `BT /F1 12 Tf ${content} ET`,
  );

const own = `/Resources << ${font} >>`;

async function run(params: Record<string, unknown>, source: PageSource) {
  const { path, warnings } = await redactPdf(params, makePage(source));
  expect(warnings?.join()).not.toContain("pictures");
  return { text: textOfPdf(path), source: sourceOfPdf(path), path };
}

test("numbers of an array without strings move the text behind it", async () => {
  const { text, source } = await run(region(190, 25), {
    content: "BT /F1 12 Tf 72 700 Td [-10000] TJ (ABCDEFGHIJ) Tj 0 -20 Td (next) Tj ET",
  });
  // 190 to 215 are the first four characters of the word from 192 on.
  expect(text).not.toMatch(/[ABCD]/);
  expect(text).toContain("EFGHIJ");
  expect(text).toContain("next");
  expect(source).not.toContain("ABCD");
});

test("numbers need no font that is known", async () => {
  const { text } = await run(region(72, 100), {
    content: "BT /None 12 Tf 72 700 Td [-1000 ()] TJ /F1 12 Tf (SECRET) Tj 0 -20 Td (next) Tj ET",
  });
  expect(text.trim()).toBe("next");
});

test("a form inherits the state of text", async () => {
  const spaced = await run(region(72, 100), {
    content: "30 Tc q /Fm0 Do Q",
    resources: "/XObject << /Fm0 6 0 R >>",
    objects: [form("72 700 Td (ABCDEFGH) Tj", own)],
  });
  // Each character takes 37.2 points: the first three are in the region.
  expect(spaced.text.replaceAll(/\s/g, "")).toBe("DEFGH");
  expect(spaced.source).not.toContain("ABC");
  // The text is 10 points higher and half as wide, so that eight characters are in the region.
  const { text } = await run(region(72, 28, 83, 8), {
    content: "/F1 12 Tf 10 Ts 50 Tz /Fm0 Do",
    resources: "/XObject << /Fm0 6 0 R >>",
    objects: [
      pdfStream(
        "/Type /XObject /Subtype /Form /BBox [0 0 400 800] /Resources << >>",
        "BT 72 700 Td (SECRET!!NEXT) Tj ET",
      ),
    ],
  });
  expect(text.trim()).toBe("NEXT");
});
