import { z } from "zod";

/** Finds the metadata in the objects of a PDF, in the form of qpdf's JSON (version 2). */

type Dictionary = Record<string, unknown>;

const dictionary = z.record(z.string(), z.unknown());

const qpdfObject = z.object({
  value: z.unknown().optional(),
  stream: z.object({ dict: dictionary }).optional(),
});

const qpdfDocument = z.object({
  qpdf: z.tuple([dictionary, z.record(z.string(), qpdfObject)]),
});

/**
 * The keys that are removed everywhere: XMP of the document, a page, a font or an image, and
 * private data of editors.
 */
const removedKeys = new Set(["/Metadata", "/PieceInfo", "/LastModified"]);

/** Annotations with their author's name in `/T`. The `/T` of a form field is the field's name and stays. */
const markupAnnotations = new Set(
  [
    "Text",
    "FreeText",
    "Line",
    "Square",
    "Circle",
    "Polygon",
    "PolyLine",
    "Highlight",
    "Underline",
    "Squiggly",
    "StrikeOut",
    "Stamp",
    "Caret",
    "Ink",
    "Popup",
    "Redact",
    "FileAttachment",
    "Sound",
    "Movie",
  ].map((name) => `/${name}`),
);

const removedAnnotationKeys = new Set([...removedKeys, "/T", "/M", "/CreationDate"]);
const attachmentDates = new Set(["/CreationDate", "/ModDate"]);

export interface PdfScrubPlan {
  /** The objects that change, and no others, for `qpdf --update-from-json`. */
  readonly update: string;
  readonly encrypted: boolean;
  /** Page objects, including those that are not in the page tree. */
  readonly pages: number;
}

/**
 * The changes to a PDF, from qpdf's `json` of its structure. Removed are the information dictionary
 * (title, author, subject, keywords, programs, dates), every XMP stream, private data of editors,
 * the authors and dates of annotations, and the dates of attachments. Pages, bookmarks, forms, the
 * text of annotations, attachments with their names, the language and all other content stay.
 */
export function planPdf(json: string): PdfScrubPlan {
  const [header, objects] = qpdfDocument.parse(JSON.parse(json)).qpdf;
  const changed: Record<string, unknown> = {};
  let encrypted = false;
  let pages = 0;
  for (const [name, object] of Object.entries(objects)) {
    if (isDictionary(object.value) && object.value["/Type"] === "/Page") pages++;
    const scrubbed = scrubValue(object.stream?.dict ?? object.value, 0);
    if (name === "trailer" && isDictionary(scrubbed.value)) {
      encrypted = "/Encrypt" in scrubbed.value;
      const { "/Info": _, ...trailer } = scrubbed.value;
      changed[name] = { value: trailer };
    } else if (scrubbed.changed) {
      changed[name] = object.stream
        ? { stream: { dict: scrubbed.value } }
        : { value: scrubbed.value };
    }
  }
  return { update: JSON.stringify({ qpdf: [header, changed] }), encrypted, pages };
}

interface ScrubbedValue {
  readonly value: unknown;
  readonly changed: boolean;
}

/** qpdf reads at most 500 levels, too. */
const maxDepth = 500;

function scrubValue(value: unknown, depth: number): ScrubbedValue {
  if (depth > maxDepth || typeof value !== "object" || value === null) {
    return { value, changed: false };
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => scrubValue(item, depth + 1));
    return { value: items.map((item) => item.value), changed: items.some((item) => item.changed) };
  }
  if (!isDictionary(value)) return { value, changed: false };
  const removed = findRemovedKeys(value);
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const [key, entry] of Object.entries(value)) {
    const kept =
      key === "/Params" && value["/Type"] === "/EmbeddedFile" ? withoutDates(entry) : entry;
    const scrubbed = scrubValue(kept, depth + 1);
    changed ||= scrubbed.changed || kept !== entry || removed.has(key);
    if (!removed.has(key)) entries.push([key, scrubbed.value]);
  }
  return { value: Object.fromEntries(entries), changed };
}

function findRemovedKeys(value: Dictionary): ReadonlySet<string> {
  const subtype = value["/Subtype"];
  const isMarkup = typeof subtype === "string" && markupAnnotations.has(subtype);
  return isMarkup && "/Rect" in value ? removedAnnotationKeys : removedKeys;
}

function withoutDates(parameters: unknown): unknown {
  if (!isDictionary(parameters)) return parameters;
  const entries = Object.entries(parameters).filter(([key]) => !attachmentDates.has(key));
  return Object.fromEntries(entries);
}

function isDictionary(value: unknown): value is Dictionary {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
