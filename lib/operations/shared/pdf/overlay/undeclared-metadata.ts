import { removeDeclaration } from "#lib/formats/pdf/archival/declaration.ts";
import type { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import type { DocumentMetadata } from "#lib/formats/pdf/pages/copy-catalog.ts";
import { readPacket } from "#lib/formats/pdf/pages/read-packet.ts";
import type { PdfSource } from "#lib/formats/pdf/pages/source.ts";

/** The properties of a document that is no PDF/A file any more. */
export function writeUndeclaredMetadata({ file }: PdfSource, writer: PdfWriter): DocumentMetadata {
  const packet = Buffer.from(removeDeclaration(readPacket(file) ?? ""));
  const stream = { "/Type": "/Metadata", "/Subtype": "/XML" } as const;
  return {
    info: file.dict(file.trailer["/Info"]),
    packet: writer.addStream(stream, packet),
  };
}
