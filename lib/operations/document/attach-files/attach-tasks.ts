import type { PDFDocument } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { conformAttachments } from "#lib/formats/pdf/archival/attachments.ts";
import {
  declaredConformance,
  declaredPart,
  declarePart,
  removeDeclaration,
} from "#lib/formats/pdf/archival/declaration.ts";
import { attachFiles as attach, type NewAttachment } from "../../shared/pdf/attachments.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import { readPacket, writePacket } from "../../shared/pdf/packet.ts";
import type { Relationship } from "./relationships.ts";

export interface AttachOptions {
  /** What is said of the files, in their order. */
  readonly files: readonly {
    readonly name: string;
    readonly type: string;
    readonly relationship: Relationship;
  }[];
}

const names = {
  source: "Source",
  data: "Data",
  alternative: "Alternative",
  supplement: "Supplement",
  unspecified: "Unspecified",
} as const satisfies Record<Relationship, string>;

/** The first file of the call with the others attached. */
export async function attachFiles({ files, options, work }: WorkerCall<AttachOptions>) {
  const [input, ...others] = files;
  if (!input) throw new Error("the call has no file");
  const document = await openDocument(input);
  const attachedAt = new Date();
  const attachments: NewAttachment[] = [];
  for (const [index, { path }] of others.entries()) {
    const { name, type, relationship } = options.files[index] ?? {
      name: `file-${index + 1}`,
      type: "application/octet-stream",
      relationship: "unspecified" as const,
    };
    const bytes = await readRegular(path);
    attachments.push({ bytes, name, type, relationship: names[relationship], attachedAt });
  }
  let warnings: string[] = [];
  const bytes = await translateStructureErrors(() => {
    attach(document, attachments);
    warnings = conformDeclaration(document);
    return document.save({ updateFieldAppearances: false });
  });
  const output = work.scratch("pdf");
  await writeNew(output.path, bytes);
  return { outputs: [{ ...output, pages: document.getPageCount() }], warnings };
}

/**
 * A PDF/A-2 file with any attached files is a PDF/A-3 file (ISO 19005-3, 1), and a PDF/A-1 file with some is none, nor is one
 * of part 4, other than PDF/A-4e and PDF/A-4f (ISO 19005-4, 6.9).
 * Returns warnings that say so.
 */
function conformDeclaration(document: PDFDocument): string[] {
  const packet = readPacket(document);
  const part = declaredPart(packet);
  if (part === "2") {
    conformAttachments(document, "3b");
    writePacket(document, declarePart(packet, "3"));
    return ["The PDF is declared as PDF/A-3 now, because PDF/A-2 does not allow such files."];
  }
  const mayHaveFiles = part === "4" && ["E", "F"].includes(declaredConformance(packet) ?? "");
  if (part === undefined || part === "3" || mayHaveFiles) return [];
  writePacket(document, removeDeclaration(packet));
  return [`The PDF is not declared as PDF/A-${part} any more, which does not allow such files.`];
}
