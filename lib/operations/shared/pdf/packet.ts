import { inflateSync } from "node:zlib";
import { PDFArray, type PDFDocument, PDFRawStream } from "@cantoo/pdf-lib";
import { escapeText, escapeXml } from "#lib/formats/markup/escape.ts";
import { key } from "#lib/formats/pdf/archival/walk.ts";
import { decodePacket } from "#lib/formats/pdf/pages/read-packet.ts";

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
  if (filters.length === 0) return decodePacket(Buffer.from(contents));
  if (filters.length > 1 || filters[0] !== key("FlateDecode")) return "";
  try {
    return decodePacket(inflateSync(contents, { maxOutputLength: maxPacketBytes }));
  } catch {
    return "";
  }
}

/** The packet with further descriptions, which are RDF. */
export function addToPacket(packet: string, descriptions: string): string {
  const end = packet.lastIndexOf("</rdf:RDF>");
  return packet.slice(0, end) + descriptions + packet.slice(end);
}

const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** The character of an entity of XML; undefined for others. */
function readEntity(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x0*([\da-f]{1,6})|0*(\d{1,7}))$/i.exec(name) ?? [];
  const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : entities.get(name);
}

/** Text of XML without its entities. Unknown ones stay. */
export function decodeEntities(text: string): string {
  return text.replace(/&(#?\w+);/g, (entity, name) => readEntity(name) ?? entity);
}

/** A text behind a tag, or a tag, whose values may contain `>`. */
const textOrTag = /(?<=>)[^<>]+|<[^<>"'!?/][^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>/g;

const attribute = /(?<=\s)([^\s="']+)(\s*=\s*)("[^"]*"|'[^']*')/g;

/** Attributes that are syntax, such as namespaces. */
const syntax = /^(?:xmlns|xml|rdf)\b/;

/** The packet with other texts between its tags and in its attributes. Markup, comments and CDATA sections stay as they are. */
export function changePacketTexts(packet: string, change: (text: string) => string): string {
  const changeTag = (tag: string) =>
    tag.replace(attribute, (whole, name: string, equals: string, quoted: string) => {
      if (syntax.test(name)) return whole;
      const text = decodeEntities(quoted.slice(1, -1));
      const changed = change(text);
      return changed === text ? whole : `${name}${equals}"${escapeXml(changed)}"`;
    });
  return packet.replace(textOrTag, (part) => {
    if (part.startsWith("<")) return changeTag(part);
    const text = decodeEntities(part);
    const changed = change(text);
    return changed === text ? part : escapeText(changed);
  });
}

export function writePacket({ catalog, context }: PDFDocument, packet: string): void {
  // Not compressed, so that programs that know no PDF find it.
  const stream = context.stream(Buffer.from(packet), { Type: "Metadata", Subtype: "XML" });
  catalog.set(key("Metadata"), context.register(stream));
}
