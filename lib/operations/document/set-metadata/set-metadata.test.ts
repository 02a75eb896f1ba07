import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { pdfA } from "#lib/operations/document/pdf-a/index.ts";
import { toSample } from "#tests/samples/images/images.ts";
import { makePdf, unpackPdf } from "#tests/samples/metadata.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { setMetadata } from "./index.ts";

async function set(sample: Sample, params: object): Promise<string> {
  const { outputs } = await runOperation(setMetadata, sample, { ...params });
  return outputs[0]?.path ?? "";
}

/** The tags of both, as exiftool reads them. */
async function readTags(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await exiftool("-j", "-G1", "-PDF:all", "-XMP:all", path))[0];
}

it("sets the properties in Info and in XMP alike, and everything else stays", async () => {
  const sample = await toSample(
    "pdf",
    makeRichPdf({ pages: 2, info: "/Title (Old) /Author (Ada) /Creator (C)" }),
  );
  const params = { title: "Größe <1> & 你好", subject: "(a\\b)", keywords: "one, zwei;三" };
  const path = await set(sample, params);
  expect(await readTags(path)).toMatchObject({
    "PDF:Title": params.title,
    "PDF:Author": "Ada",
    "PDF:Subject": params.subject,
    "PDF:Creator": "C",
    "XMP-dc:Title": params.title,
    "XMP-dc:Creator": "Ada",
    "XMP-dc:Description": params.subject,
    "XMP-dc:Subject": ["one", "zwei", "三"],
    "XMP-pdf:Keywords": params.keywords,
  });
  const { objects: _, ...before } = readRichPdf(sample.path);
  expect(readRichPdf(path)).toMatchObject(before);
});

it("keeps other properties of the packet; an empty text removes one, and nothing of it is left", async () => {
  const rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
  const xmp =
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdf}">` +
    `<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" pdf:Keywords="gone"/>` +
    `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="de">Alt</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
  // The page of this PDF refers to the same packet, which is kept there.
  const bytes = makePdf()
    .toString("latin1")
    .replace(" /Metadata 6 0 R /LastModified", " /LastModified");
  const sample = await toSample("pdf", Buffer.from(""));
  // qpdf repairs the offsets and the length.
  const start = bytes.indexOf("<x:xmpmeta");
  const end = bytes.indexOf("\nendstream", start);
  await writeFile(
    sample.path,
    Buffer.from(bytes.slice(0, start) + xmp + bytes.slice(end), "latin1"),
  );
  const path = await set(sample, { title: "", keywords: "", author: "Eve" });
  const tags = await readTags(path);
  expect(tags).toMatchObject({
    "XMP-pdfaid:Part": 2,
    "PDF:Author": "Eve",
    "XMP-dc:Creator": "Eve",
  });
  for (const name of ["PDF:Title", "XMP-dc:Title", "XMP-pdf:Keywords"])
    expect(tags).not.toHaveProperty([name]);
  expect(unpackPdf(path)).not.toMatch(/Secret title|gone/);
  execProgram("qpdf", ["--check", path]);
});

it.each(["constructor", "PDF:Constructor"])(
  "a tag of a PDF/A file may be called %s",
  async (name) => {
    const archive = await runOperation(pdfA, await toSample("pdf", makeRichPdf({ pages: 1 })));
    const path = await set(
      { path: archive.outputs[0]?.path ?? "", type: "pdf" },
      { tags: { [name]: "unknown", Author: "Ada" } },
    );
    expect(await readTags(path)).toMatchObject({ "PDF:Author": "Ada", "XMP-dc:Creator": "Ada" });
  },
);

it.each([{}, { title: "a\u0000" }, { title: "x".repeat(2001) }, { author: "\ud800" }])(
  "rejects %j",
  (params) => {
    expect(setMetadata.params.safeParse(params).success).toBe(false);
  },
);
