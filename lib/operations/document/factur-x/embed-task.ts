import { AFRelationship } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { flattenAttachments } from "../../shared/pdf/flatten-attachments.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import { addToPacket, readPacket, writePacket } from "../../shared/pdf/packet.ts";
import { describeInvoice, type InvoiceProperties } from "./describe-invoice.ts";

/** The name that the standard prescribes. */
const fileName = "factur-x.xml";

/** The first file, a PDF/A-3, with the second one as its invoice. Throws `JobError` `corrupt` if it is no XML. */
export async function embedInvoice({
  files: [input, invoice],
  options,
  work,
}: WorkerCall<InvoiceProperties>) {
  if (!input || !invoice) throw new Error("the call has too few files");
  const xml = await readRegular(invoice.path);
  if (!/^(?:\ufeff|\s)*</.test(xml.toString("utf8", 0, 100))) {
    throw new JobError("corrupt", "`invoice` must be an XML file.");
  }
  const document = await openDocument(input);
  const attachedAt = new Date();
  const bytes = await translateStructureErrors(async () => {
    flattenAttachments(document);
    await document.attach(xml, fileName, {
      mimeType: "text/xml",
      description: "Factur-X invoice",
      afRelationship: AFRelationship.Alternative,
      creationDate: attachedAt,
      modificationDate: attachedAt,
    });
    const packet = readPacket(document);
    writePacket(document, addToPacket(packet, describeInvoice(options, fileName)));
    return document.save({ useObjectStreams: false, updateFieldAppearances: false });
  });
  const output = work.scratch("pdf");
  await writeNew(output.path, bytes);
  return { outputs: [output] };
}
