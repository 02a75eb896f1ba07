import { type FieldSchema, inputSchema } from "#lib/api/http/schema-messages.ts";
import { describeTypes, type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { color, positions } from "#lib/operations/fields/index.ts";
import type { Control, FileField, FormField, FormOperation, SampleFile } from "./form-field.ts";

/** An operation's form, made from its schema: a new operation needs nothing here. */
export function describeOperation(operation: Operation): FormOperation {
  const { id, group, summary, accepts, files = {} } = operation;
  const schema = inputSchema(operation.params) as FieldSchema & { required?: readonly string[] };
  return {
    id,
    group,
    summary,
    files: [
      describeFile("file", { accepts, required: true, description: "" }),
      ...Object.entries(files).map(([part, file]) => describeFile(part, file)),
    ],
    fields: Object.entries(schema.properties ?? {}).map(([name, field]) =>
      describeField(name, field, schema.required?.includes(name) ?? false),
    ),
    example: Object.fromEntries(
      Object.entries(operation.example).map(([name, value]) => [name, toText(value)]),
    ),
  };
}

function describeField(name: string, schema: FieldSchema, required: boolean): FormField {
  const { description = "", default: initial } = schema;
  return {
    name,
    description,
    required,
    initial: initial === undefined ? null : toText(initial),
    control: controlFor(schema),
  };
}

const colorPattern = inputSchema(color("#ffffff")).pattern;

/** From so many characters on, a text has room for several lines. */
const longText = 500;

function controlFor(schema: FieldSchema): Control {
  const { type, pattern, minimum, maximum, maxLength, description = "" } = schema;
  if (schema.enum) {
    const options = schema.enum.map(String);
    const isPosition = options.join() === positions.join();
    return { kind: isPosition ? "position" : "choice", options };
  }
  switch (type) {
    case "boolean":
      return { kind: "switch" };
    case "number":
    case "integer":
      return {
        kind:
          /\bseconds?\b/i.test(description) && !/\bper second\b/i.test(description)
            ? "time"
            : "number",
        min: bound(minimum),
        max: bound(maximum),
        integer: type === "integer",
      };
    case "string":
      if (pattern !== undefined && pattern === colorPattern) return { kind: "color" };
      return {
        kind: "text",
        long: (maxLength ?? 0) >= longText,
        maxLength: maxLength ?? null,
      };
    case "array":
    case "object":
      return { kind: "json" };
    default:
      // A union of types: the server tells which is meant.
      return { kind: "text", long: false, maxLength: null };
  }
}

/** JSON Schema bounds every integer by what a double can count to; that is no bound for a person. */
function bound(value: number | undefined): number | null {
  return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface DescribedFile {
  readonly accepts: readonly MediaTypeId[];
  readonly required: boolean;
  readonly description: string;
}

/** Beyond so many types a list of them tells less than "any file". */
const mostNamedTypes = 20;

function describeFile(part: string, { accepts, required, description }: DescribedFile): FileField {
  const isAny = accepts.length > mostNamedTypes;
  const types = accepts.map((id) => mediaType(id));
  return {
    part,
    description,
    required,
    types: isAny ? "nearly any file" : describeTypes(accepts),
    accept: isAny ? "" : types.flatMap(({ extension, mime }) => [`.${extension}`, mime]).join(),
    samples: sampleFiles.filter(({ type }) => accepts.includes(type)).map(toSample),
  };
}

/** Of `public/samples/inputs`, the most telling first. */
const sampleFiles = [
  { type: "jpeg", name: "photo.jpg" },
  { type: "png", name: "logo.png" },
  { type: "mp4", name: "film.mp4" },
  { type: "flac", name: "music.flac" },
  { type: "html", name: "invoice.html" },
  { type: "docx", name: "report.docx" },
] as const satisfies { type: MediaTypeId; name: string }[];

function toSample({ name }: { name: string }): SampleFile {
  return { name, url: `/samples/inputs/${name}` };
}
