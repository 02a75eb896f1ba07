import { PDFDict, type PDFDocument, PDFHexString, PDFString } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { conformAnnotations } from "#lib/formats/pdf/archival/annotations.ts";
import { conformAttachments } from "#lib/formats/pdf/archival/attachments.ts";
import { conformCatalog } from "#lib/formats/pdf/archival/catalog.ts";
import { conformDicts } from "#lib/formats/pdf/archival/dicts.ts";
import type { ArchivalLevel } from "#lib/formats/pdf/archival/levels.ts";
import { makeSrgbProfile } from "#lib/formats/pdf/archival/srgb-profile.ts";
import { key } from "#lib/formats/pdf/archival/walk.ts";
import { writePacket } from "#lib/formats/pdf/archival/xmp-packet.ts";
import { encodeTextString } from "#lib/formats/pdf/structure/text-string.ts";
import { openDocument, translateStructureErrors } from "../open-document.ts";
import type { ArchivalFacts, Dropped } from "./facts.ts";

export const saveOptions = {
  useObjectStreams: false,
  addDefaultPage: false,
  updateFieldAppearances: false,
} as const;

export interface ConformOptions {
  readonly level: ArchivalLevel;
  readonly facts: ArchivalFacts;
}

/** Changes what needs no other fonts, colors or file structure. Returns what was dropped, as numbers. */
export function conformObjects(document: PDFDocument, level: ArchivalLevel): Dropped {
  const attachments = conformAttachments(document, level);
  const { removed, undrawn, ...annotations } = conformAnnotations(document, level);
  const actions = conformDicts(document, level) + annotations.actions;
  const { layers, scripts } = conformCatalog(document, level);
  return { actions: actions + Number(scripts), annotations: removed, undrawn, attachments, layers };
}

/** Worker function: everything of PDF/A that needs no other fonts, colors or file structure. */
export const conformDocument = async (call: WorkerCall<ConformOptions>) => {
  const { files, options, work } = call;
  const [file] = files;
  if (!file) throw new Error("no file");
  const { level, facts } = options;
  const document = await openDocument(file);
  return translateStructureErrors(async () => {
    conformObjects(document, level);
    addIdentification(document, options);
    if (facts.language && !document.catalog.has(key("Lang"))) {
      document.catalog.set(key("Lang"), encodeTextString(facts.language));
    }
    const output = work.scratch("pdf");
    await writeNew(output.path, await document.save(saveOptions));
    return { outputs: [output] };
  });
};

const producer = "Mediamill";

/** Information dictionary, metadata and output intent. */
function addIdentification(document: PDFDocument, { level, facts }: ConformOptions): void {
  const { context, catalog } = document;
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const info: Record<string, string> = { Producer: producer, ...facts.info, ModDate: now };
  const dict = context.obj({});
  for (const [name, value] of Object.entries(info)) {
    const isDate = name.endsWith("Date");
    const text = isDate ? `D:${value.replace(/\D/g, "")}Z` : value;
    dict.set(key(name), isDate ? PDFString.of(text) : PDFHexString.fromText(text));
  }
  context.trailerInfo.Info = context.register(dict);
  // Not compressed, so that programs that know no PDF find it.
  const packet = context.stream(Buffer.from(writePacket(level, info)), {
    Type: "Metadata",
    Subtype: "XML",
  });
  catalog.set(key("Metadata"), context.register(packet));
  const stream = context.register(context.flateStream(makeSrgbProfile(), { N: 3 }));
  const condition = PDFString.of("sRGB IEC61966-2.1");
  const intent = PDFDict.withContext(context);
  intent.set(key("Type"), key("OutputIntent"));
  intent.set(key("S"), key("GTS_PDFA1"));
  intent.set(key("OutputConditionIdentifier"), condition);
  intent.set(key("Info"), condition);
  intent.set(key("DestOutputProfile"), stream);
  catalog.set(key("OutputIntents"), context.obj([context.register(intent)]));
}
