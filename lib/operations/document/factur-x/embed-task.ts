import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { attachFiles, detachFiles } from "../../shared/pdf/attachments.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import { addToPacket, readPacket, writePacket } from "../../shared/pdf/packet.ts";
import { describeInvoice, type InvoiceProperties } from "./describe-invoice.ts";

/** Programs that read invoices find them by these names. */
const invoiceNames = ["factur-x.xml", "xrechnung.xml", "zugferd-invoice.xml", "order-x.xml"];

/** Profiles whose XML has less than the page, so that the page is the invoice and the XML only data of it. */
const partialLevels = ["MINIMUM", "BASIC WL"];

export interface EmbedOptions extends InvoiceProperties {
  readonly file_name?: string | undefined;
}

/**
 * The first file, a PDF/A-3, with the second one as its invoice, instead of one that it may have. Throws `JobError`
 * `corrupt` if it is no XML.
 */
export async function embedInvoice({
  files: [input, invoice],
  options,
  work,
}: WorkerCall<EmbedOptions>) {
  if (!input || !invoice) throw new Error("the call has too few files");
  const xml = await readRegular(invoice.path);
  if (!/^(?:\ufeff|\s)*</.test(xml.toString("utf8", 0, 100))) {
    throw new JobError("corrupt", "`invoice` must be an XML file.");
  }
  const name = options.file_name ?? nameOf(options);
  const document = await openDocument(input);
  let replaced = false;
  const bytes = await translateStructureErrors(() => {
    replaced = detachFiles(document, invoiceNames);
    const attachment = {
      bytes: xml,
      name,
      type: "text/xml",
      description: "Factur-X invoice",
      relationship: partialLevels.includes(options.level) ? "Data" : "Alternative",
      attachedAt: new Date(),
    };
    attachFiles(document, [attachment]);
    const packet = readPacket(document);
    writePacket(document, addToPacket(packet, describeInvoice(options, name)));
    return document.save({ useObjectStreams: false, updateFieldAppearances: false });
  });
  const output = work.scratch("pdf");
  await writeNew(output.path, bytes);
  return { outputs: [output], result: { replaced } };
}

/** The name that the profile prescribes. */
const nameOf = ({ level }: InvoiceProperties) =>
  level === "XRECHNUNG" ? "xrechnung.xml" : "factur-x.xml";
