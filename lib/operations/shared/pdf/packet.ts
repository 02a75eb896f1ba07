import { decodePDFRawStream, type PDFDocument, PDFRawStream } from "@cantoo/pdf-lib";
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
  if (!(stream instanceof PDFRawStream) || stream.contents.length > maxPacketBytes) {
    return emptyPacket;
  }
  const bytes = decodePDFRawStream(stream).decode();
  const text = bytes.length > maxPacketBytes ? "" : Buffer.from(bytes).toString("utf8");
  return text.includes("</rdf:RDF>") ? text : emptyPacket;
}

/** The packet with further descriptions, which are RDF. */
export function addToPacket(packet: string, descriptions: string): string {
  const end = packet.lastIndexOf("</rdf:RDF>");
  return packet.slice(0, end) + descriptions + packet.slice(end);
}

export function writePacket({ catalog, context }: PDFDocument, packet: string): void {
  // Not compressed, so that programs that know no PDF find it.
  const stream = context.stream(Buffer.from(packet), { Type: "Metadata", Subtype: "XML" });
  catalog.set(key("Metadata"), context.register(stream));
}
