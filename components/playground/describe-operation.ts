import { describeSchema, type FieldSchema, inputSchema } from "#lib/api/http/schema-messages.ts";
import { describeTypes, mediaType, mediaTypeOfExtension } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { acceptsType, type FilePart, type Operation } from "#lib/operations/define.ts";
import { liveKindOf } from "#lib/operations/live/live-kind.ts";
import {
  boundsOf,
  controlOf,
  type ParameterSchema,
  parameterSchemas,
} from "#lib/operations/parameter-schema.ts";
import { toValueRule } from "./form/check-value.ts";
import type {
  Control,
  FileCount,
  FileField,
  FormField,
  FormOperation,
  SampleFile,
} from "./form/form-field.ts";

/** The form of an operation, made from its definition. */
export function describeOperation(operation: Operation): FormOperation {
  const { id, group, summary, accepts, inputs, files = {}, sample } = operation;
  const { properties, required } = parameterSchemas(operation.params);
  const { properties: apiSchemas = {} } = inputSchema(operation.params);
  const main = { accepts, required: true, description: "" };
  return {
    id,
    group,
    summary,
    isLive: liveKindOf(operation) !== undefined,
    produces: producedExtensions(operation),
    files: [
      ...(inputs.max > 0 ? [describeFile("file", main, inputs, sample.inputs)] : []),
      ...Object.entries(files).map(([part, file]) => {
        const own = sample.files[part];
        const count = { min: file.required ? 1 : 0, max: 1 };
        return describeFile(part, file, count, own === undefined ? [] : [own]);
      }),
    ],
    fields: Object.entries(properties).map(([name, schema]) =>
      describeField(name, schema, apiSchemas[name], required.includes(name)),
    ),
    example: Object.fromEntries(
      Object.entries(operation.example).map(([name, value]) => [name, toText(value)]),
    ),
  };
}

/** What it makes of each type that it takes, in each format that can be chosen. */
function producedExtensions({ accepts, produces, params, example }: Operation): string[] {
  const { format } = parameterSchemas(params).properties;
  const given = [{}, example, ...(format?.enum ?? []).map((one) => ({ ...example, format: one }))];
  const parsed = given.flatMap((one) => {
    const result = params.safeParse(one);
    return result.success ? [result.data] : [];
  });
  const types = new Set(
    accepts.flatMap((type) => parsed.map((one) => produces(type, one as Record<string, unknown>))),
  );
  return [...new Set([...types].map((type) => mediaType(type).extension))];
}

function describeField(
  name: string,
  schema: ParameterSchema,
  apiSchema: FieldSchema | undefined,
  required: boolean,
): FormField {
  const { description = "", default: initial } = schema;
  return {
    name,
    description,
    required,
    initial: initial === undefined ? null : toText(initial),
    control: toControl(schema),
    rule: toValueRule(schema),
    allowed: describeSchema(apiSchema ?? {}),
    secret: schema.secret === true,
  };
}

function toControl(schema: ParameterSchema): Control {
  const kind = controlOf(schema);
  switch (kind) {
    case "choice":
      return { kind, options: schema.enum ?? [] };
    case "position":
      return { kind, options: (schema.enum ?? []).map(String) };
    case "number":
    case "slider":
    case "time":
      return {
        kind,
        ...boundsOf(schema),
        integer: schema.type === "integer",
        unit: schema.unit ?? null,
      };
    default:
      return { kind };
  }
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A longer list of types is harder to read than "nearly any file". */
const maxNamedTypes = 20;

/** A longer list of samples is harder to choose from. */
const maxSamples = 6;

/** @param own the files of the operation's own sample, which are listed first */
function describeFile(
  part: string,
  file: FilePart,
  count: FileCount,
  own: readonly string[],
): FileField {
  const { accepts, description, required } = file;
  const isAny = accepts.length > maxNamedTypes;
  const types = accepts.map((id) => mediaType(id));
  const others = sampleInputs.filter((name) => acceptsType(file, typeOfName(name)));
  const samples = [...new Set([...own, ...others])].slice(0, maxSamples);
  return {
    part,
    description,
    required,
    count,
    types: isAny ? "nearly any file" : describeTypes(accepts),
    accept: isAny ? "" : types.flatMap(({ extension, mime }) => [`.${extension}`, mime]).join(),
    extensions: types.map(({ extension }) => extension),
    samples: samples.map(toSampleFile),
    sampleSet: count.max > 1 ? own.map(toSampleFile) : [],
  };
}

/** The files of `public/samples/inputs` that the samples of operations use. */
const sampleInputs = [
  ...new Set(
    operations.flatMap(({ sample }) => [...sample.inputs, ...Object.values(sample.files)]),
  ),
];

function typeOfName(name: string) {
  return mediaTypeOfExtension(name.slice(name.lastIndexOf(".") + 1)).id;
}

function toSampleFile(name: string): SampleFile {
  return { name, url: `/samples/inputs/${name}` };
}
