import type { MediaTypeId } from "#lib/media/types.ts";
import { markedEncoding } from "../text/detect-encoding.ts";
import { detectOfficeText, detectOfficeXml } from "./office-text.ts";

/** What the sender declares about a file. Used only where the content does not decide. */
export interface SniffHints {
  readonly filename?: string | undefined;
  readonly contentType?: string | undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish data from text
const dataCharacters = /[\u0000-\u0007\u000e-\u001a\u001c-\u001f\ufffe\uffff]/;

/**
 * Returns `head` as text if it is valid UTF-8, or in the encoding of its byte order mark, without
 * control characters.
 */
export function readText(head: Buffer, isWhole: boolean): string | undefined {
  const encoding = markedEncoding(head) ?? "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: !isWhole });
    return dataCharacters.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns `head` as text in a single-byte encoding, if it has no control characters. */
export function readLegacyText(head: Buffer): string | undefined {
  const text = head.toString("latin1");
  return dataCharacters.test(text) ? undefined : text;
}

/** Detects the type of a text. Playlists, XML, source code and the like are plain text. */
export function detectText(text: string, isWhole: boolean, hints: SniffHints): MediaTypeId {
  const hinted = hintedText(hints);
  const subtitles = detectSubtitles(text);
  if (subtitles) return subtitles;
  const start = skipProlog(text);
  const office = detectOfficeXml(start) ?? detectOfficeText(text);
  if (office) return office;
  if (/^<(!doctype\s+html|html|head|body)[\s>/]/i.test(start) || hinted === "html") return "html";
  if (/^<([\w-]{1,40}:)?svg[\s>/]/.test(start)) return "svg";
  if (looksLikeJson(text.trim(), isWhole, hinted === "json")) return "json";
  return hinted === "csv" || hinted === "md" ? hinted : "txt";
}

/** The characters of a text that are searched for the beginning of subtitles, comments included. */
const maxSubtitleStart = 8000;

/** A WebVTT file has a signature; ASS begins with a section, and SRT with a number and times. */
function detectSubtitles(text: string): MediaTypeId | undefined {
  const start = text.slice(0, maxSubtitleStart).replace(/^\ufeff/, "");
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(start)) return "vtt";
  if (beginsWithSection(start)) return "ass";
  const time = String.raw`(?:\d{1,3}:)?\d{1,2}:\d{1,2}[,.]\d{1,9}`;
  const srt = new RegExp(
    String.raw`^\s{0,99}(?:\d{1,9}[ \t]{0,20}\r?\n)?[ \t]{0,20}${time}\s{0,20}-->\s{0,20}${time}`,
  );
  return srt.test(start) ? "srt" : undefined;
}

/** Whether the first line that is neither empty nor a comment is the first section of an ASS or SSA file. */
function beginsWithSection(text: string): boolean {
  const first = text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .find((line) => line !== "" && !line.startsWith(";"));
  return /^\[(?:Script Info|V4\+? Styles)\]/i.test(first ?? "");
}

type HintedText = "html" | "csv" | "json" | "md";

function hintedText({ filename, contentType }: SniffHints): HintedText | undefined {
  const type = contentType?.toLowerCase().split(";")[0]?.trim() ?? "";
  if (/^(text\/html|application\/xhtml\+xml)$/.test(type)) return "html";
  if (/^(text|application)\/(csv|tab-separated-values)$/.test(type)) return "csv";
  if (/^(application|text)\/([\w.-]+\+)?json$/.test(type)) return "json";
  if (/^text\/(x-)?markdown$/.test(type)) return "md";
  const extension = extensionOf(filename);
  if (/^(md|markdown|mdown|mkd)$/.test(extension)) return "md";
  if (/^x?html?$/.test(extension)) return "html";
  if (/^(csv|tsv)$/.test(extension)) return "csv";
  return /^(geo)?json$/.test(extension) ? "json" : undefined;
}

/** The extension of a file name in lower case, without the dot; empty if there is none. */
export function extensionOf(filename: string | undefined): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(filename ?? "")?.[1]?.toLowerCase() ?? "";
}

/** The text after a byte order mark, white space, comments, XML declarations and non-HTML doctypes. */
export function skipProlog(text: string): string {
  let rest = text.replace(/^[\ufeff\s]+/, "");
  while (true) {
    const end = endOfPrologPart(rest);
    if (end === undefined) return rest;
    rest = rest.slice(end).trimStart();
  }
}

function endOfPrologPart(text: string): number | undefined {
  const endAfter = (terminator: string) => {
    const at = text.indexOf(terminator);
    return at < 0 ? text.length : at + terminator.length;
  };
  if (text.startsWith("<!--")) return endAfter("-->");
  if (text.startsWith("<?")) return endAfter("?>");
  if (!/^<!doctype\s/i.test(text) || /^<!doctype\s+html/i.test(text)) return undefined;
  // The declarations in the brackets of a doctype may contain ">".
  const hasSubset = /^[^>]*\[/.test(text);
  if (!hasSubset) return endAfter(">");
  const end = /\]\s*>/.exec(text);
  return end ? end.index + end[0].length : text.length;
}

function looksLikeJson(text: string, isWhole: boolean, isHinted: boolean): boolean {
  if (!/^[[{]/.test(text)) return false;
  if (!isWhole) return isHinted || /^(\{\s*"|\[\s*[[{"])/.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return isHinted;
  }
}
