import { streamRegular } from "#lib/files/regular-files.ts";
import { findSeparator } from "#lib/formats/office/text-import.ts";
import { detectEncoding, markedEncoding } from "#lib/formats/text/detect-encoding.ts";
import { withFileSource } from "#lib/media/byte-source.ts";
import { type Inspection, type Properties, withoutUndefined } from "./report.ts";

/** Encoding and number of lines; delimiter and columns of CSV, title of HTML. */
export async function inspectText({ input, signal }: Inspection): Promise<Properties> {
  const head = await withFileSource(input.path, async (source) => source.head);
  const marked = markedEncoding(head);
  const counted =
    (await count(input.path, marked ?? "utf-8", signal)) ??
    (await count(input.path, detectLegacyEncoding(head), signal));
  if (!counted) throw new Error("no encoding decodes this text");
  const start = new TextDecoder(counted.encoding).decode(head);
  return withoutUndefined({
    ...counted,
    ...(input.type.id === "csv" ? describeTable(start) : {}),
    title: input.type.id === "html" ? findTitle(start) : undefined,
  });
}

/** The encoding of a text that is not UTF-8, though its start may be. */
function detectLegacyEncoding(head: Buffer): string {
  const encoding = detectEncoding(head);
  // As browsers decode it, every byte is a character.
  return encoding.startsWith("utf-") ? "windows-1252" : encoding;
}

async function count(path: string, encoding: string, signal: AbortSignal) {
  const decoder = new TextDecoder(encoding, { fatal: encoding.startsWith("utf-") });
  let lines = 0;
  let last = "";
  const add = (text: string) => {
    if (text === "") return;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
    last = text.at(-1) ?? "";
  };
  try {
    for await (const chunk of streamRegular(path, { signal })) {
      add(decoder.decode(chunk, { stream: true }));
    }
    add(decoder.decode());
  } catch (error) {
    // Only the decoder throws it, for bytes that are invalid in this encoding.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  // A last line without a line break counts as a line.
  return { encoding, lines: lines + (last !== "" && last !== "\n" ? 1 : 0) };
}

function describeTable(start: string): Properties {
  const delimiter = findSeparator(start);
  const [heading = ""] = start.replace(/"[^"]*"/g, "").split("\n", 1);
  return { delimiter, columns: heading.split(delimiter).length };
}

function findTitle(start: string): string | undefined {
  const title = /<title[^>]{0,200}>([^<]{0,2000})/i.exec(start)?.[1];
  return title?.replace(/\s+/g, " ").trim().slice(0, 300) || undefined;
}
