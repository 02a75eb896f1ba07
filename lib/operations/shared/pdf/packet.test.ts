import { deflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, it } from "vitest";
import { key } from "#lib/formats/pdf/archival/walk.ts";
import { changePacketTexts, decodeEntities, readPacket } from "./packet.ts";

const packet = "<x:xmpmeta><rdf:RDF><a/></rdf:RDF></x:xmpmeta>";

/** What is read of a document with this metadata. */
async function read(bytes: Uint8Array, entries: Record<string, string | string[]> = {}) {
  const document = await PDFDocument.create();
  const stream = document.context.stream(bytes, { Type: "Metadata", ...entries });
  document.catalog.set(key("Metadata"), document.context.register(stream));
  return readPacket(document);
}

it("a packet is read as it is, and compressed by Flate", async () => {
  expect(await read(Buffer.from(packet))).toBe(packet);
  expect(await read(deflateSync(packet), { Filter: "FlateDecode" })).toBe(packet);
  expect(await read(deflateSync(packet), { Filter: ["FlateDecode"] })).toBe(packet);
  const wide = Buffer.from(`\ufeff${packet}`, "utf16le");
  expect(await read(wide)).toBe(packet);
  expect(await read(deflateSync(wide.swap16()), { Filter: "FlateDecode" })).toBe(packet);
});

it("what is damaged or has another filter is replaced", async () => {
  const empty = await read(Buffer.from("no packet"));
  expect(empty).toContain("<rdf:RDF");
  expect(await read(Buffer.from(packet), { Filter: "FlateDecode" })).toBe(empty);
  expect(await read(Buffer.from(packet), { Filter: "RunLengthDecode" })).toBe(empty);
});

it("a packet of 256 MB is replaced and takes little memory", async () => {
  const bytes = deflateSync(Buffer.alloc(2 ** 28), { level: 1 });
  const before = process.resourceUsage().maxRSS;
  const text = await read(bytes, { Filter: "FlateDecode" });
  expect(text).toContain("<rdf:RDF");
  // In KiB.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(2 ** 17);
});

it.each([
  ["R&#x26;D &#38;#38; &#x00000026;", "R&D &#38; &"],
  ["&lt;&gt;&quot;&apos;&#39;", "<>\"''"],
  ["&nbsp; &constructor; &__proto__; &#x110000;", "&nbsp; &constructor; &__proto__; &#x110000;"],
])("the entities of %s are decoded", (text, decoded) => expect(decodeEntities(text)).toBe(decoded));

it.each([
  [`<a pdf:K="R &amp; D">R &amp; D</a>`, `<a pdf:K="&quot;█&quot;">"█"</a>`],
  [`<a pdf:K = 'R &#38; D>' b='x'/>`, `<a pdf:K = "&quot;█&quot;&gt;" b='x'/>`],
  [
    `<a xmlns:R="R & D" rdf:about='R & D' b="a=R & D"/>`,
    `<a xmlns:R="R & D" rdf:about='R & D' b="a=&quot;█&quot;"/>`,
  ],
  ["<!-- R & D --><![CDATA[R & D]]><?R & D?>", "<!-- R & D --><![CDATA[R & D]]><?R & D?>"],
])("texts and attributes of %s are changed", (given, changed) => {
  expect(changePacketTexts(given, (text) => text.replaceAll("R & D", '"█"'))).toBe(changed);
});

it.each(["<", '<a b="', "<a b='\"", "<a ", "a=", "&#", "<a>"])(
  "a packet of repeated %s takes little time",
  (part) => {
    const started = performance.now();
    changePacketTexts(part.repeat(200_000), (text) => text);
    changePacketTexts(`<a ${part.replaceAll(/[<>]/g, "").repeat(200_000)}>`, (text) => text);
    expect(performance.now() - started).toBeLessThan(2000);
  },
);

it("texts of a packet are changed as they are read, and its markup is not", () => {
  const given = '<dc:title a="R">R&amp;D &lt;R&gt; &#82;</dc:title> R <b>&nbsp;</b>';
  const changed = changePacketTexts(given, (text) => text.replaceAll("R&D <R>", "<█>"));
  expect(changed).toBe('<dc:title a="R">&lt;█&gt; R</dc:title> R <b>&nbsp;</b>');
});
