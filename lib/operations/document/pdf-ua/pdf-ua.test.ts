import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { findViolations } from "#tests/samples/pdf/pdf-a.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation } from "#tests/support/operation.ts";
import { pdfA } from "../pdf-a/index.ts";
import { pdfUa } from "./index.ts";

const makeSample = () => toSample("pdf", makeRichPdf({ pages: 1 }));

it("declares a tagged PDF as PDF/UA, and warns about one without tags", async () => {
  const sample = await makeSample();
  const { outputs, warnings } = await runOperation(pdfUa, sample, { title: "A <b>" });
  const [tags] = JSON.parse(await exiftool("-j", "-a", "-G1", outputs[0]?.path ?? ""));
  const isDeclared = tags["XMP-pdfuaid:Part"] === 1;
  const warned = warnings?.some((warning) => warning.startsWith("The PDF has no tags")) ?? false;
  expect(isDeclared).toBe(!warned);
  expect(tags["PDF:Title"] ?? "").not.toBe("");
});

it.each([
  ["in the encoding of PDF", (title: string) => `(${title})`],
  ["in UTF-8", (title: string) => `<efbbbf${Buffer.from(title).toString("hex")}>`],
])("declares the start of a title of any length: %s", async (_, write) => {
  const title = "A long títle ".repeat(50_000);
  const bytes = makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 5 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
      `<< /Title ${write(title)} >>`,
      "<< /Type /StructTreeRoot >>",
    ],
    trailer: "/Info 4 0 R",
  });
  const { outputs } = await runOperation(pdfUa, await toSample("pdf", bytes), { title: "Other" });
  const [tags] = JSON.parse(await exiftool("-j", "-a", "-G1", outputs[0]?.path ?? ""));
  expect(tags["XMP-dc:Title"]).toBe(title.slice(0, 4000).trim());
  expect(tags["PDF:Title"]).toContain("A long");
});

it.each(["1b", "2b"])(
  "keeps a PDF/A file of level %s as it must be, and gives it a title",
  async (level) => {
    const untitled = makePdfBytes({
      objects: [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
      ],
    });
    const archive = await runOperation(pdfA, await toSample("pdf", untitled), { level });
    const input = { path: archive.outputs[0]?.path ?? "", type: "pdf" as const };
    const { outputs } = await runOperation(pdfUa, input, { title: "Report" });
    const path = outputs[0]?.path ?? "";
    expect(findViolations(path, level)).toEqual([]);
    expect(JSON.parse(await exiftool("-j", "-XMP:Title", path))[0].Title).toBe("Report");
  },
);

/** What exiftool reads of a PDF without other properties than this XMP, with the title "Other" if it has none. */
async function titleWith(properties: string, attributes = "") {
  const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"${attributes}>${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`;
  const bytes = makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
      pdfStream("/Type /Metadata /Subtype /XML", packet),
    ],
  });
  const { outputs } = await runOperation(pdfUa, await toSample("pdf", bytes), { title: "Other" });
  const path = outputs[0]?.path ?? "";
  const [tags] = JSON.parse(await exiftool("-j", "-G1", "-PDF:Title", "-XMP:all", path));
  return { tags, packet: await exiftool("-b", "-XMP", path) };
}

const titled = (title: string) =>
  `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title>`;

it.each([
  [titled("Annual report"), ""],
  ["", ' dc:title="Annual report"'],
])("leaves a PDF as it is whose XMP alone has a title: %s%s", async (properties, attributes) => {
  const { tags } = await titleWith(properties, attributes);
  expect(tags).toMatchObject({ "XMP-dc:Title": "Annual report" });
  expect(tags).not.toHaveProperty("PDF:Title");
});

it.each([
  [titled(""), ""],
  [titled(" \n"), ""],
  ["<dc:title/>", ""],
  ["<dc:title></dc:title>", ""],
  ["", ' dc:title=""'],
])("replaces a title that is empty: %s%s", async (properties, attributes) => {
  const format = "<dc:format>application/pdf</dc:format>";
  const { tags, packet } = await titleWith(`${properties}${format}`, attributes);
  expect(tags).toMatchObject({
    "PDF:Title": "Other",
    "XMP-dc:Title": "Other",
    "XMP-dc:Format": "application/pdf",
  });
  expect(packet.match(/dc:title(?=[\s>=/])/g)).toHaveLength(2);
});

it("rejects a damaged PDF", async () => {
  const damaged = await toSample("pdf", Buffer.from("%PDF-1.7\n1 0 obj\n<<"));
  await expect(runOperation(pdfUa, damaged, {})).rejects.toMatchObject({ code: "corrupt" });
});
