import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";
import { redactPdf, sourceOfPdf } from "#tests/support/redacted-pdf.ts";
import { findRemaining } from "./tasks.ts";

const rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/** A PDF with these descriptions in its XMP. */
function makeDescribed(
  descriptions: string,
  encode = (packet: string) => Buffer.from(packet),
): Buffer {
  const packet = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdf}" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:dc="http://purl.org/dc/elements/1.1/">${descriptions}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
  return makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Resources << >> >>",
      pdfStream("/Type /Metadata /Subtype /XML", encode(packet)),
    ],
  });
}

const packetOf = (path: string) =>
  /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(
    Buffer.from(sourceOfPdf(path), "latin1").toString("utf8"),
  )?.[0];

describe("texts in XMP", () => {
  test.each([
    ["Smith & Sons", '<rdf:Description pdf:Keywords="for Smith &amp; Sons only"/>'],
    ["Smith & Sons", "<rdf:Description pdf:Keywords='for Smith &#x26; Sons only'/>"],
    ["O'Brien", '<rdf:Description pdf:Keywords="for O&#39;Brien only"/>'],
    ["O'Brien", "<rdf:Description pdf:Keywords='for O&apos;Brien only'/>"],
    ["Jos\u00e9 <Ruiz>", '<rdf:Description pdf:Keywords="for Jose\u0301 &lt;Ruiz&gt; only"/>'],
    ["O'Brien", "<rdf:Description><dc:title>for O&#039;Brien only</dc:title></rdf:Description>"],
  ])("%s is gone from %s, and the rest stays", async (text, description) => {
    const { path, warnings } = await redactPdf({ texts: [text] }, makeDescribed(description));
    expect(packetOf(path)).toMatch(/for █████ only/);
    expect(packetOf(path)).not.toMatch(/Smith|Brien|Ruiz/);
    expect(warnings).toEqual([]);
  });

  test.each([
    ["Smith & Sons", '<rdf:Description rdf:about="Smith &amp; Sons"/>'],
    ["Smith & Sons", "<!-- Smith &amp; Sons -->"],
    ["Smith & Sons", "<![CDATA[Smith & Sons]]>"],
    ["adobe", '<rdf:Description pdf:Keywords="other"/>'],
  ])("%s in the markup %s removes the whole packet", async (text, description) => {
    const { path, warnings } = await redactPdf({ texts: [text] }, makeDescribed(description));
    expect(packetOf(path)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  const littleEndian = (text: string) => Buffer.from(text, "utf16le");
  const bigEndian = (text: string) => littleEndian(text).swap16();

  test.each([
    ["UTF-16, big-endian", bigEndian],
    ["UTF-16, little-endian", littleEndian],
    ["UTF-16 with a byte order mark", (text: string) => bigEndian(`\ufeff${text}`)],
  ])("are found in %s", async (_, encode) => {
    const description = '<rdf:Description pdf:Keywords="Größe 4711-8888"/>';
    const params = { patterns: ["\\d{4}-\\d{4}"] };
    const { path, warnings } = await redactPdf(params, makeDescribed(description, encode));
    expect(packetOf(path)).toContain('pdf:Keywords="Größe █████"');
    expect(warnings).toEqual([]);
  });

  test("a text that is not there changes nothing", async () => {
    const description = '<rdf:Description pdf:Keywords="Smith &amp; Sons &constructor;"/>';
    const params = { texts: ["Jones", "function"] };
    const { path, warnings } = await redactPdf(params, makeDescribed(description));
    expect(packetOf(path)).toContain(description);
    expect(warnings).toEqual(["Nothing in the PDF matches."]);
  });

  test.each([
    ["Smith & Sons", true],
    ["Smith &amp; Sons", true],
    ["Jones", false],
  ])("%s that remains is found: %s", async (text, is_in_objects) => {
    const work = temporaryWorkFolder();
    const [pdf, words] = [work.scratch("pdf"), work.scratch("html")];
    writeFileSync(pdf.path, makeDescribed('<rdf:Description pdf:Keywords="Smith &amp; Sons"/>'));
    writeFileSync(words.path, "");
    const options = { texts: [text], patterns: [], regions: [], color: "#000000", pictures: [] };
    const call = { files: [pdf, words], options, work, progress: () => undefined };
    const { result } = await findRemaining(call);
    expect(result).toEqual({ pages: [], is_in_objects });
  });
});
