import { PDFDict, type PDFDocument, PDFString } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { dictAt, key } from "#lib/formats/pdf/archival/walk.ts";
import { readTextLine } from "#lib/formats/pdf/structure/text-string.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import { readPacket, writePacket } from "../../shared/pdf/packet.ts";
import { hasTitle, identifyInPacket, titlePacket } from "./declare-in-packet.ts";

export interface DeclareOptions {
  /** For a document without one. */
  readonly title: string;
  readonly language: string;
}

/**
 * One file with a language, a title that viewers show, also in its XMP, and if it has tags, their order on each page and
 * the identification as PDF/UA.
 */
export async function declareAccessible({
  files: [input],
  options: { title, language },
  work,
}: WorkerCall<DeclareOptions>) {
  if (!input) throw new Error("the call has no file");
  const document = await openDocument(input);
  let tagged = false;
  const bytes = await translateStructureErrors(async () => {
    const { catalog, context } = document;
    tagged = dictAt(catalog, "StructTreeRoot") !== undefined;
    if (!catalog.has(key("Lang"))) catalog.set(key("Lang"), PDFString.of(language));
    const packet = readPacket(document);
    const given = readTitle(document);
    // PDF/A wants both titles to be equal (ISO 19005-1, 6.7.3).
    const isUntitled = !given && !hasTitle(packet);
    if (isUntitled) document.setTitle(title);
    const preferences = dictAt(catalog, "ViewerPreferences") ?? context.obj({});
    preferences.set(key("DisplayDocTitle"), context.obj(true));
    catalog.set(key("ViewerPreferences"), preferences);
    if (tagged) {
      for (const page of document.getPages()) page.node.set(key("Tabs"), key("S"));
      const marks = dictAt(catalog, "MarkInfo") ?? context.obj({});
      marks.set(key("Marked"), context.obj(true));
      catalog.set(key("MarkInfo"), marks);
    }
    if (tagged || isUntitled) {
      const titled = titlePacket(packet, given || title);
      writePacket(document, tagged ? identifyInPacket(titled) : titled);
    }
    return document.save({ useObjectStreams: false, updateFieldAppearances: false });
  });
  const output = work.scratch("pdf");
  await writeNew(output.path, bytes);
  return { outputs: [output], result: { tagged } };
}

function readTitle({ context }: PDFDocument): string {
  const info = context.lookup(context.trailerInfo.Info);
  return info instanceof PDFDict ? readTextLine(info.lookup(key("Title"))) : "";
}
