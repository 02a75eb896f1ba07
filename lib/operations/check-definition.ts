import { extname } from "node:path";
import { z } from "zod";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { acceptsType } from "./accepts.ts";
import { type OperationDefinition, operationGroups, reservedFields } from "./definition.ts";
import {
  boundsOf,
  type ControlName,
  controls,
  isList,
  isNumeric,
  type ParameterSchema,
  parameterSchemas,
  units,
} from "./parameter-schema.ts";
import { secretParts } from "./secret-values.ts";

type Checked = Pick<
  OperationDefinition,
  "id" | "title" | "summary" | "accepts" | "inputs" | "files" | "sample" | "partial" | "runsIn"
> & { readonly params: z.ZodObject; readonly example: unknown };

const idPattern = new RegExp(`^(${operationGroups.join("|")})/[a-z][a-z0-9]*(-[a-z0-9]+)*$`);

/** Throws an error that names the first bad definition and its fault. */
export function checkDefinitions(definitions: readonly Checked[]): void {
  for (const definition of definitions) {
    const fault = findFault(definition);
    if (fault) throw new Error(`operation ${definition.id}: ${fault}`);
  }
}

/** The first thing that is wrong with a definition; undefined if it is good. */
export function findFault(definition: Checked): string | undefined {
  const { id, title, summary, accepts, params, example } = definition;
  if (!idPattern.test(id)) return "id must be group/name in kebab-case";
  if (!title?.trim()) return "title is missing";
  if (!endsWithPeriod(summary)) return "summary must end with a period";
  const { min, max } = definition.inputs ?? { min: 1, max: 1 };
  if (!(min >= 0 && min <= max)) return "inputs must have a min of at most its max";
  if (max > 0 && accepts.length === 0) return "accepts must name at least one type";
  if (definition.partial && max !== 1) return "only a single input can be read in part";
  if (definition.partial && definition.runsIn !== "runner") {
    return "only an operation that runs in the runner can read its input in part";
  }
  return (
    findParameterFault(definition) ??
    findParseFault("example", params, example) ??
    findSampleFault(definition)
  );
}

const endsWithPeriod = (text: string | undefined) => /^\S.*\.$/.test(text ?? "");

function findParseFault(what: string, params: z.ZodType, values: unknown): string | undefined {
  const { success, error } = params.safeParse(values);
  return success ? undefined : `${what} is not valid: ${z.prettifyError(error)}`;
}

function findParameterFault({ params, files = {} }: Checked): string | undefined {
  const { properties } = parameterSchemas(params);
  for (const [name, schema] of Object.entries(properties)) {
    if (reservedFields.has(name)) return `parameter ${name} is a field of every request`;
    if (name in files || (name.endsWith("_url") && name.slice(0, -4) in files)) {
      return `parameter ${name} has the name of a file part`;
    }
    if (!endsWithPeriod(schema.description)) {
      return `parameter ${name} needs a description that ends with a period`;
    }
    const { control, unit } = schema;
    if (control !== undefined && !controls.includes(control)) {
      return `parameter ${name} has an unknown control, ${control}`;
    }
    if (control !== undefined && !fits[control](schema)) {
      return `the control ${control} does not fit parameter ${name}`;
    }
    if (unit !== undefined && !units.includes(unit)) {
      return `parameter ${name} has an unknown unit, ${unit}`;
    }
  }
  for (const [part, { insteadOf, required }] of Object.entries(files)) {
    if (insteadOf === undefined) continue;
    if (required) return `file part ${part} is required and so stands in for no parameter`;
    const absent = params.shape[insteadOf]?.safeParse(undefined);
    if (!absent?.success || absent.data !== undefined)
      return `file part ${part} stands in for ${insteadOf}, no optional parameter`;
  }
  for (const [part, { secret = false }] of Object.entries(files)) {
    if (secret !== secretParts.has(part))
      return `file part ${part} must be secret in its definition and in secret-values.ts, or in neither`;
  }
  const undescribed = Object.entries(files).find(([, file]) => !endsWithPeriod(file.description));
  return undescribed && `file part ${undescribed[0]} needs a description that ends with a period`;
}

const isNumber = ({ type }: ParameterSchema) => type === "number" || type === "integer";
const isText = ({ type }: ParameterSchema) => type === "string";

/** Whether a control can hold the values of a schema. */
const fits: Readonly<Record<ControlName, (schema: ParameterSchema) => boolean>> = {
  switch: ({ type }) => type === "boolean",
  choice: (schema) => schema.enum !== undefined,
  position: (schema) => schema.enum?.length === 9,
  number: isNumber,
  slider: (schema) => isNumber(schema) && !Object.values(boundsOf(schema)).includes(null),
  time: isNumeric,
  color: isText,
  region: (schema) => isList(schema) && (schema.anyOf?.some(isText) ?? false),
  text: ({ type }) => type !== "boolean" && type !== "array" && type !== "object",
  textarea: isText,
  json: () => true,
  secret: isText,
};

function findSampleFault(definition: Checked): string | undefined {
  const { sample, accepts, params, files = {} } = definition;
  if (!sample) return "sample is missing";
  const inputs = sample.inputs ?? (sample.input === undefined ? [] : [sample.input]);
  const { min, max } = definition.inputs ?? { min: 1, max: 1 };
  if (inputs.length < min || inputs.length > max) return `sample has ${inputs.length} files`;
  const refused = inputs.find((name) => !acceptsType({ accepts }, typeOf(name)));
  if (refused) return `sample.input, ${refused}, is of a type that the operation does not accept`;
  const chosen = sample.files ?? {};
  const extra = Object.keys(chosen).find((part) => !(part in files));
  if (extra) return `sample.files.${extra} is no file part of the operation`;
  for (const [part, file] of Object.entries(files)) {
    const name = chosen[part];
    if (name === undefined && file.required) return `sample.files.${part} is missing`;
    if (name !== undefined && !acceptsType(file, typeOf(name))) {
      return `sample.files.${part}, ${name}, is of a type that the file part does not accept`;
    }
  }
  if (sample.params === undefined) return undefined;
  return findParseFault("sample.params", params, sample.params);
}

function typeOf(filename: string) {
  return mediaTypeOfExtension(extname(filename).slice(1)).id;
}
