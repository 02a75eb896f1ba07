import { escapeText } from "#lib/formats/markup/escape.ts";

export interface InvoiceProperties {
  readonly level: string;
  readonly document_type: string;
  readonly version: string;
}

const namespace = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

const properties = [
  ["DocumentFileName", "name of the embedded XML invoice file"],
  ["DocumentType", "type of the document"],
  ["Version", "version of the XML schema"],
  ["ConformanceLevel", "conformance level of the XML invoice"],
] as const;

/** What XMP says of an invoice, and the description of these properties that PDF/A-3 wants. */
export function describeInvoice(invoice: InvoiceProperties, fileName: string): string {
  const { level, document_type: type, version } = invoice;
  const described = properties
    .map(
      ([name, description]) =>
        `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
    )
    .join("");
  return `<rdf:Description rdf:about="" xmlns:fx="${namespace}"><fx:DocumentType>${escapeText(type)}</fx:DocumentType><fx:DocumentFileName>${fileName}</fx:DocumentFileName><fx:Version>${escapeText(version)}</fx:Version><fx:ConformanceLevel>${escapeText(level)}</fx:ConformanceLevel></rdf:Description><rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${described}</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
}
