import { createHash } from "node:crypto";
import { declaredPart } from "#lib/formats/pdf/archival/declaration.ts";
import { type ArchivalLevel, archivalLevels } from "#lib/formats/pdf/archival/levels.ts";
import { writePacket } from "#lib/formats/pdf/archival/xmp-packet.ts";
import type { PdfFile } from "#lib/formats/pdf/objects/file.ts";
import { readText, textString } from "#lib/formats/pdf/objects/text.ts";
import { PdfRef } from "#lib/formats/pdf/objects/values.ts";
import type { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import { type DocumentMetadata, mergedInfoNames } from "#lib/formats/pdf/pages/copy-catalog.ts";
import { readPacket } from "#lib/formats/pdf/pages/read-packet.ts";
import type { PdfSource } from "#lib/formats/pdf/pages/source.ts";

/**
 * The properties of PDF/A files that become one, which is PDF/A, too; undefined if it may not be: where the files do not
 * all declare the same part, or do not have the same output intent, which says what their colors are, or where several
 * have layers, whose settings are joined. Fonts, pictures and pages are copied as they are. Level b is what all have.
 */
export function writeMergedMetadata(
  sources: readonly PdfSource[],
  writer: PdfWriter,
): DocumentMetadata | undefined {
  const [first] = sources;
  const level = levelOf(sources);
  if (!first || !level) return undefined;
  const old = first.file.dict(first.file.trailer["/Info"]);
  const entries = mergedInfoNames.flatMap((name) => {
    const text = readText(first.file.resolve(old[name]))
      .replace(/\p{Cc}+/gu, " ")
      .trim();
    return text === "" ? [] : [[name, text] as const];
  });
  const info = entries.map(([name, text]) => [name, textString(text)]);
  const packet = writePacket(
    level,
    Object.fromEntries(entries.map(([name, text]) => [name.slice(1), text])),
  );
  return {
    info: Object.fromEntries(info),
    packet: writer.addStream({ "/Type": "/Metadata", "/Subtype": "/XML" }, Buffer.from(packet)),
  };
}

function levelOf(sources: readonly PdfSource[]): ArchivalLevel | undefined {
  const parts = new Set(sources.map(partOf));
  if (sources.some(({ file }) => intentsOf(file).length > maxIntents)) return undefined;
  const intents = new Set(sources.map(intentOf));
  const layered = sources.filter(({ file }) => "/OCProperties" in file.catalog);
  const [part] = parts;
  if (parts.size !== 1 || intents.size !== 1 || layered.length > 1) return undefined;
  return archivalLevels.find((level) => level === `${part}b`);
}

const partOf = ({ file }: PdfSource) => declaredPart(readPacket(file) ?? "");

/** Several are for several standards, all with one profile (ISO 19005-1, 6.2.2). */
const maxIntents = 10;

const intentsOf = (file: PdfFile) => file.array(file.catalog["/OutputIntents"]);

/** What identifies the output intent of a file: the data of its profiles, each once. */
function intentOf({ file }: PdfSource): string {
  const profiles = intentsOf(file).map((intent) => file.dict(intent)["/DestOutputProfile"]);
  const numbers = profiles.map((ref) => (ref instanceof PdfRef ? ref.number : undefined));
  const hash = createHash("sha256");
  for (const number of new Set(numbers)) {
    const object = number === undefined ? undefined : file.object(number);
    for (const part of (object && file.readData(object))?.parts ?? []) hash.update(part);
    hash.update("/");
  }
  return hash.digest("hex");
}
