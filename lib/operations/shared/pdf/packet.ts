import { inflateSync } from "node:zlib";
import { PDFArray, type PDFDocument, PDFRawStream } from "@cantoo/pdf-lib";
import { escapeText } from "#lib/formats/markup/escape.ts";
import { key } from "#lib/formats/pdf/archival/walk.ts";

/** The XMP packet of a PDF (ISO 16684-1). In a sandboxed worker only. */

/** Larger packets, which no program writes, are replaced. */
const maxPacketBytes = 16 * 2 ** 20;

const emptyPacket = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;

/** The packet of a document. One that is missing, or of another form, is an empty one. */
export function readPacket({ catalog }: PDFDocument): string {
  const stream = catalog.lookup(key("Metadata"));
  const text = stream instanceof PDFRawStream ? readText(stream) : "";
  return text.includes("</rdf:RDF>") ? text : emptyPacket;
}

/** The text of a stream; empty if it is too large, damaged, or has another filter than Flate. */
function readText({ dict, contents }: PDFRawStream): string {
  if (contents.length > maxPacketBytes) return "";
  const given = dict.lookup(key("Filter"));
  const filters = given instanceof PDFArray ? given.asArray() : given ? [given] : [];
  if (filters.length === 0) return Buffer.from(contents).toString("utf8");
  if (filters.length > 1 || filters[0] !== key("FlateDecode")) return "";
  try {
    return inflateSync(contents, { maxOutputLength: maxPacketBytes }).toString("utf8");
  } catch {
    return "";
  }
}

/** The packet with further descriptions, which are RDF. */
export function addToPacket(packet: string, descriptions: string): string {
  const end = packet.lastIndexOf("</rdf:RDF>");
  return packet.slice(0, end) + descriptions + packet.slice(end);
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** The character of an entity of XML; undefined for others. */
function readEntity(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
  const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : entities[name];
}

/** The packet with other texts between its tags. Attributes stay as they are. */
export function changePacketTexts(packet: string, change: (text: string) => string): string {
  return packet.replace(/>([^<>]+)</g, (whole, escaped: string) => {
    const text = escaped.replace(/&(#?\w+);/g, (entity, name) => readEntity(name) ?? entity);
    const changed = change(text);
    return changed === text ? whole : `>${escapeText(changed)}<`;
  });
}

export function writePacket({ catalog, context }: PDFDocument, packet: string): void {
  // Not compressed, so that programs that know no PDF find it.
  const stream = context.stream(Buffer.from(packet), { Type: "Metadata", Subtype: "XML" });
  catalog.set(key("Metadata"), context.register(stream));
}
