import { escapeText } from "#lib/formats/markup/escape.ts";
import type { ArchivalLevel } from "./levels.ts";

/** The metadata of a PDF/A file: the identification, and the properties of the information dictionary. */
export function writePacket(level: ArchivalLevel, info: Readonly<Record<string, string>>): string {
  const [part = "", conformance = ""] = level.toUpperCase();
  const { Title, Author, Subject, Keywords, Creator, Producer, CreationDate, ModDate } = info;
  const properties = [
    `<pdfaid:part>${part}</pdfaid:part>`,
    `<pdfaid:conformance>${conformance}</pdfaid:conformance>`,
    `<dc:format>application/pdf</dc:format>`,
    list("dc:title", "Alt", Title),
    list("dc:creator", "Seq", Author),
    list("dc:description", "Alt", Subject),
    single("pdf:Keywords", Keywords),
    single("pdf:Producer", Producer),
    single("xmp:CreatorTool", Creator),
    single("xmp:CreateDate", CreationDate),
    single("xmp:ModifyDate", ModDate),
    single("xmp:MetadataDate", ModDate),
  ];
  const body = properties.filter((line) => line !== "").join("\n");
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
${body}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
${`${" ".repeat(99)}\n`.repeat(20)}<?xpacket end="w"?>`;
}

function single(name: string, value: string | undefined): string {
  return value ? `<${name}>${escapeText(value)}</${name}>` : "";
}

function list(name: string, kind: "Alt" | "Seq", value: string | undefined): string {
  if (!value) return "";
  const language = kind === "Alt" ? ' xml:lang="x-default"' : "";
  return `<${name}><rdf:${kind}><rdf:li${language}>${escapeText(value)}</rdf:li></rdf:${kind}></${name}>`;
}
