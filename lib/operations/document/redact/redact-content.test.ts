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

test("a replaced XObject is gone, also if its name begins another name, or is escaped", async () => {
  const { text, source } = await run(region(0, 400), {
    content: "/Im1 Do /Im10 Do /Im#32 Do",
    resources: "/XObject << /Im1 6 0 R /Im10 7 0 R /Im2 8 0 R >>",
    objects: [
      form("72 700 Td (SECRET) Tj", own),
      form("72 600 Td (ten stays) Tj", own),
      form("72 500 Td (two stays) Tj", own),
    ],
  });
  expect(source).not.toContain("SECRET");
  expect(text).toMatch(/ten stays\s+two stays/);
});

test("an XObject with a long escaped name loses only what is in a region", async () => {
  const { text, source } = await run(region(0, 400), {
    content: `/${"#41".repeat(80)} Do`,
    resources: `/XObject << /${"A".repeat(80)} 6 0 R >>`,
    objects: [form("72 700 Td (SECRET) Tj 0 -100 Td (stays) Tj", own)],
  });
  expect(source).not.toContain("SECRET");
  expect(text.trim()).toBe("stays");
});

test("what a form without resources draws stays", async () => {
  const { text } = await run(region(0, 400), {
    content: "BT /F1 12 Tf 72 700 Td (SECRET) Tj ET /Outer Do",
    resources: "/XObject << /Outer 6 0 R /Inner 7 0 R >>",
    objects: [form("ET /Inner Do BT"), form("72 600 Td (inner stays) Tj", own)],
  });
  expect(text.trim()).toBe("inner stays");
});

test("a page that has a replaced XObject in its resources only, loses it", async () => {
  const { source } = await run(region(0, 400), {
    content: "/Fm0 Do",
    resources: "/XObject 8 0 R",
    pages: "9 0 R",
    objects: [
      form("72 700 Td (SECRET) Tj", own),
      form("72 600 Td (second page) Tj", own),
      "<< /Fm0 6 0 R /Fm1 7 0 R >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 800] /Contents 10 0 R /Resources << /XObject 8 0 R >> >>",
      pdfStream("", "/Fm1 Do"),
    ],
  });
  expect(source).not.toContain("SECRET");
  expect(source).toContain("second page");
});

test("a PDF that was redacted before keeps what it draws", async () => {
  const { text } = await run(region(0, 400), {
    content: "/Fm0 Do /Redacted1 Do",
    resources: "/XObject << /Fm0 6 0 R /Redacted1 7 0 R >>",
    objects: [form("72 700 Td (SECRET) Tj", own), form("72 600 Td (stays) Tj", own)],
  });
  expect(text.trim()).toBe("stays");
});

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

const marked = (tag: string) => `${tag} BDC BT /F1 12 Tf 72 700 Td (abcdef) Tj ET EMC`;

test("a property list loses its text, and keeps its identifier", async () => {
  const { text, source } = await run(region(0, 400), {
    content: `${marked("/Span /MC0")} /Span /MC0 DP /OC /Layer BDC BT /F1 12 Tf 72 600 Td (stays) Tj ET EMC`,
    resources: "/Properties << /MC0 6 0 R /Layer 7 0 R >>",
    catalog: "/OCProperties << /OCGs [7 0 R] /D << /ON [7 0 R] >> >>",
    objects: [
      "<< /MCID 7 /ActualText (SECRET) /Alt (SECRET) /E (SECRET) /Lang (de) >>",
      "<< /Type /OCG /Name (Layer of the page) >>",
    ],
  });
  expect(source).not.toContain("SECRET");
  expect(source).toMatch(/\/MCID 7/);
  expect(source).toContain("(de)");
  expect(source).toMatch(/\/Layer \d+ 0 R/);
  expect(text.trim()).toBe("stays");
});

test("a property list of another page keeps its text", async () => {
  const { source } = await run(region(0, 400), {
    content: marked("/Span /MC0"),
    resources: "/Properties 6 0 R",
    pages: "9 0 R",
    objects: [
      "<< /MC0 7 0 R /MC1 8 0 R >>",
      "<< /ActualText (SECRET) >>",
      "<< /ActualText (kept) >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 800] /Contents 10 0 R /Resources << ${font} /Properties 6 0 R >> >>`,
      pdfStream("", "/Span /MC1 BDC BT /F1 12 Tf 72 700 Td (stays) Tj ET EMC"),
    ],
  });
  expect(source).not.toContain("SECRET");
  expect(source).toContain("/ActualText (kept)");
});

test.each([
  ["PDFDocEncoding", (text: string) => `(${text})`],
  ["UTF-16", (text: string) => `<feff${Buffer.from(text, "utf16le").swap16().toString("hex")}>`],
])("a match in a long text that is on no page is removed: %s", async (_, write) => {
  const { source } = await run(
    { texts: ["SECRET"] },
    {
      content: "BT /F1 12 Tf 72 700 Td (stays) Tj ET",
      catalog: "/Outlines 6 0 R",
      objects: [
        "<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>",
        `<< /Parent 6 0 R /Title ${write(`${"long ".repeat(40_000)}SECRET`)} >>`,
      ],
    },
  );
  expect(source).not.toContain("SECRET");
  expect(source).toContain("long long");
});

const element = (entries: string) =>
  `<< /Type /StructElem /S /Span /P 6 0 R /Pg 3 0 R ${entries} >>`;

test("elements lose the text for content that is removed, and others do not", async () => {
  const { source } = await run(region(0, 400), {
    content: `${marked("/P <</MCID 0>>")} /P <</MCID 1>> BDC BT /F1 12 Tf 72 600 Td (stays) Tj ET EMC /Fm0 Do`,
    resources: "/XObject << /Fm0 10 0 R >>",
    page: "/StructParents 0",
    catalog: "/StructTreeRoot 6 0 R /MarkInfo << /Marked true >>",
    objects: [
      "<< /Type /StructTreeRoot /K [7 0 R 8 0 R 9 0 R] /ParentTree << /Nums [0 [7 0 R 8 0 R]] >> >>",
      element(
        "/K 0 /ActualText (SECRET 1) /Alt (SECRET 2) /E (SECRET 3) /T (SECRET 6) /A << /O /Table /ColSpan 2 /Summary (SECRET 7) >>",
      ),
      element("/K [1] /ActualText (other text) /T (other title)"),
      element(
        "/K << /Type /MCR /Pg 3 0 R /Stm 10 0 R /MCID 0 >> /Alt (SECRET 4) /A [<< /O /UserProperties /P [<< /N (Name) /V (SECRET 8) >>] >> 0]",
      ),
      pdfStream(
        `/Type /XObject /Subtype /Form /BBox [0 0 400 800] /StructParents 1 ${own}`,
        "/P <</MCID 0>> BDC BT /F1 12 Tf 72 700 Td (SECRET 5) Tj ET EMC",
      ),
    ],
  });
  expect(source).not.toContain("SECRET");
  expect(source).toContain("/ActualText (other text)");
  expect(source).toContain("/T (other title)");
  expect(source).toContain("/ColSpan 2");
});

test("a page that becomes a picture is in no element any more", async () => {
  const pdf = makePage({
    content: "BT /F1 12 Tf 72 700 Td (SECRET) Tj ET /Fm0 Do /Sh0 sh",
    resources: "/XObject << /Fm0 8 0 R >>",
    page: "/StructParents 0",
    catalog: "/StructTreeRoot 6 0 R /MarkInfo << /Marked true >>",
    objects: [
      "<< /Type /StructTreeRoot /K [7 0 R] >>",
      element("/K [0 << /Type /MCR /Pg 3 0 R /Stm 8 0 R /MCID 0 >>] /Alt (SECRET)"),
      form("72 600 Td (SECRET) Tj", own),
    ],
  });
  const { path, warnings } = await redactPdf(region(0, 400), pdf);
  expect(warnings?.join()).toContain("pictures");
  expect(sourceOfPdf(path)).not.toContain("SECRET");
});
