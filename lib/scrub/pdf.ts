import { z } from "zod";

/** Which objects of a PDF tell who made it, when and with what, in terms of qpdf's JSON (version 2). */

type Dictionary = Record<string, unknown>;

const dictionary = z.record(z.string(), z.unknown());

const qpdfObject = z.object({
  value: z.unknown().optional(),
  stream: z.object({ dict: dictionary }).optional(),
});

const qpdfDocument = z.object({
  qpdf: z.tuple([dictionary, z.record(z.string(), qpdfObject)]),
});

/** Dropped wherever they stand: XMP of the document, a page, a font or an image; private data of editors. */
const droppedKeys = new Set(["/Metadata", "/PieceInfo", "/LastModified"]);

/** Annotations that carry a reader's name in `/T`; a form field's `/T` is its own name and stays. */
const markupAnnotations = new Set(
  [
    ...["Text", "FreeText", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight"],
    ...["Underline", "Squiggly", "StrikeOut", "Stamp", "Caret", "Ink", "Popup", "Redact"],
    ...["FileAttachment", "Sound", "Movie"],
  ].map((name) => `/${name}`),
);

const droppedAnnotationKeys = new Set([...droppedKeys, "/T", "/M", "/CreationDate"]);
const attachmentDates = new Set(["/CreationDate", "/ModDate"]);

export interface PdfCleaning {
  /** For `qpdf --update-from-json`: the objects that change, and no others. */
  readonly update: string;
  readonly encrypted: boolean;
  /** Objects that are pages, whether the document shows them or not. */
  readonly pages: number;
}

/**
 * What must change in the PDF whose structure qpdf tells as `json`. Goes: the information dictionary
 * (title, author, subject, keywords, programs, dates), every XMP stream, editors' private data, the
 * names and dates of annotations, the dates of attachments. Stays: pages, bookmarks, forms,
 * annotations' text, attachments and their names, language, and everything else that is content.
 */
export function planPdfCleaning(json: string): PdfCleaning {
  const [header, objects] = qpdfDocument.parse(JSON.parse(json)).qpdf;
  const changed: Record<string, unknown> = {};
  let [encrypted, pages] = [false, 0];
  for (const [name, object] of Object.entries(objects)) {
    if (isDictionary(object.value) && object.value["/Type"] === "/Page") pages++;
    const cleaned = clean(object.stream?.dict ?? object.value, 0);
    if (name === "trailer" && isDictionary(cleaned.value)) {
      encrypted = "/Encrypt" in cleaned.value;
      const { "/Info": _, ...trailer } = cleaned.value;
      changed[name] = { value: trailer };
    } else if (cleaned.changed) {
      changed[name] = object.stream
        ? { stream: { dict: cleaned.value } }
        : { value: cleaned.value };
    }
  }
  return { update: JSON.stringify({ qpdf: [header, changed] }), encrypted, pages };
}

interface Cleaned {
  readonly value: unknown;
  readonly changed: boolean;
}

/** Deeper than any real object; qpdf itself reads at most 500 levels. */
const maxDepth = 500;

function clean(value: unknown, depth: number): Cleaned {
  if (depth > maxDepth || typeof value !== "object" || value === null) {
    return { value, changed: false };
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => clean(item, depth + 1));
    return { value: items.map((item) => item.value), changed: items.some((item) => item.changed) };
  }
  if (!isDictionary(value)) return { value, changed: false };
  const dropped = keysToDrop(value);
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const [key, entry] of Object.entries(value)) {
    const kept = key === "/Params" && value["/Type"] === "/EmbeddedFile" ? undated(entry) : entry;
    const cleaned = clean(kept, depth + 1);
    changed ||= cleaned.changed || kept !== entry || dropped.has(key);
    if (!dropped.has(key)) entries.push([key, cleaned.value]);
  }
  return { value: Object.fromEntries(entries), changed };
}

function keysToDrop(value: Dictionary): ReadonlySet<string> {
  const subtype = value["/Subtype"];
  const isMarkup = typeof subtype === "string" && markupAnnotations.has(subtype);
  return isMarkup && "/Rect" in value ? droppedAnnotationKeys : droppedKeys;
}

function undated(parameters: unknown): unknown {
  if (!isDictionary(parameters)) return parameters;
  const entries = Object.entries(parameters).filter(([key]) => !attachmentDates.has(key));
  return Object.fromEntries(entries);
}

function isDictionary(value: unknown): value is Dictionary {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
