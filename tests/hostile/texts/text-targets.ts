import { type FieldSchema, inputSchema } from "#lib/api/http/schema-messages.ts";
import { parseParams } from "#lib/api/job-creation/parse-params.ts";
import { findRoot, readRootSize } from "#lib/engines/image/formats/svg-size.ts";
import { parseHeader } from "#lib/engines/import/vips.ts";
import { parseImageList } from "#lib/engines/pdf/list-images.ts";
import { parsePdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { rejectDeepNesting } from "#lib/formats/html/deep-nesting.ts";
import { decodeText } from "#lib/formats/office/text-import.ts";
import { parseDefaultAppearance } from "#lib/formats/pdf/forms/default-appearance.ts";
import { scrubMarkup } from "#lib/formats/scrub/images/svg-markup.ts";
import { changeAttributes, changeText, removeElements } from "#lib/formats/scrub/xml.ts";
import { headBytes, sniffBytes } from "#lib/formats/sniff/sniff.ts";
import { parseAss } from "#lib/formats/subtitles/ass.ts";
import { sanitizeAss } from "#lib/formats/subtitles/sanitize-ass.ts";
import { parseSrt } from "#lib/formats/subtitles/srt.ts";
import { parseVtt } from "#lib/formats/subtitles/vtt.ts";
import { cleanFileName } from "#lib/net/file-name.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { References } from "#lib/operations/document/fill-template/sheets/references.ts";
import { RowLevel } from "#lib/operations/document/fill-template/sheets/row-level.ts";
import { splitTags } from "#lib/operations/document/fill-template/tags/tags.ts";
import { escapeMarkdown } from "#lib/operations/document/to-markdown/content/escape.ts";
import { parsePdfsig } from "#lib/operations/document/verify-signatures/pdfsig.ts";
import { splitFrontMatter } from "#lib/operations/shared/markdown/front-matter.ts";

/** Something that reads an untrusted text. It may throw. */
export interface TextTarget {
  readonly id: string;
  /** The largest number of characters that it may get. */
  readonly maxLength: number;
  /** All fields of a form get the text. */
  readonly isForm?: boolean;
  run(text: string): unknown;
}

/** Quadratic time takes seconds for texts of this length; the body of a request has up to 1 MiB. */
const longLength = 2 ** 16;

/**
 * A length that is enough for exponential time. A parameter with a limit is too short for quadratic
 * time to matter.
 */
const parameterLength = 1000;

type Path = readonly (string | number)[];

/** The paths of all texts in a value of `schema`, also within lists and objects, and as names of fields. */
function* textPaths(schema: FieldSchema, path: Path = []): Generator<{ path: Path; max: number }> {
  if (schema.type === "string" && !schema.enum) yield { path, max: schema.maxLength ?? longLength };
  for (const one of schema.anyOf ?? []) yield* textPaths(one, path);
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    yield* textPaths(one, [...path, name]);
  if (schema.items) yield* textPaths(schema.items, [...path, 0]);
  const values = (schema as { additionalProperties?: unknown }).additionalProperties;
  if (typeof values === "object" && values !== null) yield* textPaths(values, [...path, "a"]);
}

/** Returns `value` with `text` at `path`. */
function put(value: unknown, [key, ...rest]: Path, text: string): unknown {
  if (key === undefined) return text;
  if (typeof key === "number") return [put(undefined, rest, text)];
  const object = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  return { ...object, [key]: put(Reflect.get(object, key), rest, text) };
}

/** The example, and the example with every other value of every choice: a choice selects what a text may be. */
function listContexts({ example, params }: Operation): Record<string, unknown>[] {
  const choices = Object.entries(inputSchema(params).properties ?? {});
  return [
    example,
    ...choices.flatMap(([name, { enum: values = [] }]) =>
      values.map((value) => ({ ...example, [name]: value })),
    ),
  ];
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // Only the time counts.
  }
}

/** Every text parameter of every operation; `widely`: with every value of its choices. */
function* parameterTargets(widely: boolean): Generator<TextTarget> {
  for (const operation of operations as readonly Operation[]) {
    const contexts = listContexts(operation);
    for (const { path, max } of textPaths(inputSchema(operation.params))) {
      const isLong = max >= longLength;
      // A choice, such as the type of a code, changes what a short text may be.
      const tried = isLong || (path.length > 1 && !widely) ? [operation.example] : contexts;
      yield {
        id: `${operation.id} ${path.join(".")}`,
        maxLength: isLong ? longLength : Math.min(max, parameterLength),
        run(text) {
          for (const context of tried) operation.params.safeParse(put(context, path, text));
        },
      };
    }
    const names = Object.keys(inputSchema(operation.params).properties ?? {});
    yield {
      id: `${operation.id} as a form`,
      maxLength: longLength,
      isForm: true,
      run(text) {
        for (const name of names)
          attempt(() =>
            parseParams(operation, { ...operation.example, [name]: text }, "multipart"),
          );
      },
    };
  }
}

const markup = { changes: () => undefined };

/** Detection by content and functions that read whole texts, also those of engines that a file has taken over. */
const readers: readonly Omit<TextTarget, "maxLength">[] = [
  { id: "file name", run: cleanFileName },
  { id: "page", run: (text) => decodeText(Buffer.from(text)) },
  { id: "nesting of a page", run: (text) => rejectDeepNesting(text) },
  { id: "SRT", run: parseSrt },
  { id: "WebVTT", run: (text) => parseVtt(`WEBVTT\n\n${text}`) },
  { id: "ASS", run: (text) => parseAss(`[Events]\nDialogue: ${text}`) },
  { id: "sanitized ASS", run: (text) => sanitizeAss(`[Events]\nDialogue: ${text}`) },
  { id: "front matter", run: (text) => splitFrontMatter(`---\na: ${text}\n---\n`) },
  { id: "Markdown", run: escapeMarkdown },
  { id: "template", run: (text) => splitTags(text, "a cell") },
  { id: "unfinished template", run: (text) => splitTags(`{${text}`, "a cell") },
  { id: "default appearance", run: (text) => parseDefaultAppearance(text, () => undefined) },
  {
    id: "formula",
    run: (text) => {
      const place = { kind: "cell", sheet: "S", row: 1 } as const;
      return new References([["S", new RowLevel()]]).move(text, place);
    },
  },
  { id: "XML attributes", run: (text) => changeAttributes(`<a ${text}>`, markup.changes) },
  { id: "XML text", run: (text) => changeText(text, "a", "b") },
  { id: "XML elements", run: (text) => removeElements(text, "a", () => true) },
  { id: "output of vipsheader", run: (text) => parseHeader(`${text}\nx`) },
  { id: "output of pdfimages", run: (text) => parseImageList(`1 0 image 1 1 ${text}`) },
  { id: "output of pdfinfo", run: parsePdfInfo },
  { id: "output of pdfsig", run: parsePdfsig },
  { id: "size of an SVG", run: (text) => readRootSize(text, findRoot(text) ?? 0) },
  { id: "start tag of an SVG", run: (text) => readRootSize(`<svg ${text}`, 0) },
  { id: "SVG", run: (text) => scrubMarkup(`<svg>${text}</svg>`) },
  { id: "SVG document type", run: (text) => scrubMarkup(`<!DOCTYPE svg [${text}]><svg/>`) },
];

export function listTargets(widely: boolean): TextTarget[] {
  return [
    { id: "type", maxLength: headBytes, run: (text) => sniffBytes(Buffer.from(text)) },
    {
      id: "type of binary data",
      maxLength: headBytes,
      run: (text) => sniffBytes(Buffer.from(`${text}\xff\0`, "latin1")),
    },
    ...readers.map((reader) => ({ maxLength: longLength, ...reader })),
    ...parameterTargets(widely),
  ];
}
