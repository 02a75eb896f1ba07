import { escapeText } from "#lib/formats/markup/escape.ts";
import { addToPacket } from "../../shared/pdf/packet.ts";

const identification = `<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>`;

/** PDF/A wants a description of properties that are not its own (ISO 19005-1, 6.7.8). */
const extension = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289 standard</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`;

/** The packet with the identification as PDF/UA-1. */
export function identifyInPacket(packet: string): string {
  if (packet.includes("pdfuaid:part")) return packet;
  return addToPacket(packet, `${identification}${extension}`);
}

/** Whether the packet has a title that is not empty. */
export function hasTitle(packet: string): boolean {
  return /\sdc:title=(?:"[^"]|'[^'])/.test(packet) || (findTitle(packet)?.text ?? "") !== "";
}

/** The packet with a title, if it has none. */
export function titlePacket(packet: string, title: string): string {
  if (hasTitle(packet)) return packet;
  // An empty one would be a second value of the property.
  const { start, end } = findTitle(packet) ?? { start: 0, end: 0 };
  const untitled = `${packet.slice(0, start)}${packet.slice(end)}`.replace(
    /\sdc:title=(?:""|'')/g,
    "",
  );
  const description = `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeText(title)}</rdf:li></rdf:Alt></dc:title></rdf:Description>`;
  return addToPacket(untitled, description);
}

const closingTag = "</dc:title>";

/** Where the element of the title is, and its text. */
function findTitle(packet: string): { start: number; end: number; text: string } | undefined {
  const start = packet.search(/<dc:title[\s/>]/);
  if (start < 0) return undefined;
  const opened = packet.indexOf(">", start) + 1;
  const closing = packet[opened - 2] === "/" ? -1 : packet.indexOf(closingTag, opened);
  const end = closing < 0 ? opened : closing + closingTag.length;
  return {
    start,
    end,
    text: packet
      .slice(opened, end)
      .replace(/<[^<>]*>/g, "")
      .trim(),
  };
}
