import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { invalidForm } from "../base/errors.ts";
import type { Form } from "../form/form.ts";
import { type Step, step } from "./plan.ts";

/** The data of an invoice that is embedded in its PDF (Factur-X, ZUGFeRD). */
export interface Invoice {
  readonly xml: UploadedFile | undefined;
  readonly level: string;
  readonly documentType: string;
  readonly version: string;
}

const levels: readonly string[] = [
  "MINIMUM",
  "BASIC WL",
  "BASIC",
  "EN 16931",
  "EXTENDED",
  "XRECHNUNG",
];

const documentTypes: readonly string[] = ["INVOICE", "ORDER", "ORDER_RESPONSE", "ORDER_CHANGE"];

export function readInvoice(form: Form): Invoice {
  const [xml] = form.filesOf("facturxXml");
  const level = form.parse("facturxConformanceLevel", "", (text) => {
    if (levels.includes(text)) return text;
    throw new Error(`unsupported conformance level '${text}'`);
  });
  const documentType = form.parse("facturxDocumentType", "INVOICE", (text) => {
    if (documentTypes.includes(text)) return text;
    throw new Error(`unsupported document type '${text}'`);
  });
  return { xml, level, documentType, version: form.text("facturxVersion", "1.0") };
}

/** Throws `GotenbergError` if a part is missing, or the PDF would not be PDF/A-3. */
export function requireInvoice({ xml, level }: Invoice, pdfA: string): void {
  if (!level && !xml) return;
  if (!level) {
    throw invalidForm("'facturxConformanceLevel' is required when 'facturxXml' is provided");
  }
  if (!xml) {
    throw invalidForm("'facturxXml' file is required when 'facturxConformanceLevel' is set");
  }
  if (pdfA !== "" && !/^PDF\/A-3[abu]$/.test(pdfA)) {
    throw invalidForm(
      `Factur-X requires a PDF/A-3 variant (PDF/A-3a, PDF/A-3b, or PDF/A-3u), got '${pdfA}'`,
    );
  }
}

/** The operation makes the file PDF/A-3b too. Gotenberg embeds all invoices by one name. */
export function invoiceSteps({ xml, level, documentType, version }: Invoice): Step[] {
  if (!xml || !level) return [];
  const params = { level, document_type: documentType, version, file_name: "factur-x.xml" };
  const fields = { version: "facturxVersion", invoice: "facturxXml" };
  return [step("document/factur-x", params, { parts: { invoice: xml }, fields })];
}
