import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import { chainPart } from "#lib/jobs/steps.ts";
import { describeTypes, type MediaTypeId } from "#lib/media/types.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { suggestOperations } from "#lib/operations/catalogue/suggest.ts";
import { acceptsType, type Operation } from "#lib/operations/define.ts";
import { didYouMean, suggest } from "#lib/typos/suggest.ts";
import type { RequestBody } from "../http/body.ts";
import { inputSchema, reportInput, schemaMessage, showName } from "../http/schema-messages.ts";
import { type ParsedJobRequest, parseCommonFields } from "./job-request.ts";
import {
  commonFields,
  fileFields,
  parseFormFields,
  parseParams,
  requireFileChoice,
  requireFormJson,
} from "./parse-params.ts";
import { requireEngines, requireOneRunner } from "./require-engines.ts";
import { requireSandboxFor, requireSandboxForFiles } from "./require-sandbox.ts";
import { parseInput, parseParts, type RequestedFile, typesOf } from "./sources.ts";

/** The fields of a chain that other jobs do not have. */
export const chainRequest = z.strictObject({
  operations: z
    .array(
      z.strictObject({
        type: z.string().describe("The id of an operation, such as image/sharpen."),
        params: z.record(z.string(), z.unknown()).default({}).describe("Its parameters."),
      }),
      "must be a list of 1 to 10 objects with `type` and `params`",
    )
    .min(1, "must have 1 to 10 operations")
    .max(10, "must have 1 to 10 operations")
    .describe("1 to 10 operations. Each takes the first output of the one before."),
  keep_steps: z
    .boolean()
    .default(false)
    .describe(
      "Keep what each operation hands to the next one, as long as the outputs. GET /v1/jobs/{id}/steps has the files.",
    ),
});

interface ChainStep {
  readonly operation: Operation;
  readonly given: Record<string, unknown>;
}

/** Validates a request for a chain: every operation, and that each can follow the one before. */
export async function parseChainRequest(
  body: RequestBody,
  accountId: string,
): Promise<ParsedJobRequest> {
  const {
    input: _input,
    webhook_url: _webhook,
    metadata: _metadata,
    output: _output,
    keep: _keep,
    ...rest
  } = body.fields;
  const { steps, keepsSteps } = readChain(rest, body.encoding);
  const [first, ...others] = steps;
  const operations: { type: string; params: Record<string, unknown> }[] = [];
  const parts: Record<string, RequestedFile> = {};
  requireSingleInputs([first, ...others]);
  const source = await parseInput(first.operation, body, accountId);
  let types = typesOf(source, first.operation.accepts);
  for (const [index, { operation, given }] of [first, ...others].entries()) {
    await requireEngines(operation);
    const params = await nameStep(index, operation, async () => {
      types = types.filter((type) => acceptsType(operation, type));
      if (types.length === 0) throw cannotFollow(operation);
      await requireSandboxFor(operation, types);
      const files = await parseParts(operation, given, {}, accountId);
      await requireSandboxForFiles(operation, { parts: files });
      for (const [part, file] of Object.entries(files)) parts[chainPart(index, part)] = file;
      const values = withoutFiles(operation, given);
      requireOwnFields(values);
      const parsed = parseParams(operation, values, "json", fileFields(operation));
      requireFileChoice(operation, parsed, files);
      types = requireProcessable(operation, parsed, types);
      return parsed;
    });
    operations.push({ type: operation.id, params });
    types = types.map((type) => operation.produces(type, params));
  }
  await requireOneRunner(steps.map(({ operation }) => operation));
  const params = { operations, ...(keepsSteps ? { keep_steps: true } : {}) };
  const ids = operations.map(({ type }) => type);
  return { params, parts, source, ...(await parseCommonFields(body, accountId, ids)) };
}

/** Throws for an operation that takes no file, or several, because a chain has one file. */
function requireSingleInputs(steps: readonly ChainStep[]): void {
  for (const [index, { operation }] of steps.entries()) {
    const { max } = operation.inputs;
    if (max === 1) continue;
    const files = max === 0 ? "no file" : "several files";
    throw invalid(
      `Operation ${index + 1}, ${operation.id}: it takes ${files} and cannot be in a chain.`,
    );
  }
}

/** The types that `operation` processes with these parameters. Throws its message if there are none. */
function requireProcessable(
  { rejects }: Operation,
  params: Record<string, unknown>,
  types: readonly MediaTypeId[],
): readonly MediaTypeId[] {
  const processable = types.filter((type) => rejects?.(type, params, 0) === undefined);
  const [first] = types;
  const message = first && processable.length === 0 ? rejects?.(first, params, 0) : undefined;
  if (message) throw new RequestError("invalid_parameter", message);
  return processable;
}

function cannotFollow({ accepts }: Operation): RequestError {
  const message = `the output of the operation before it must be ${describeTypes(accepts)}.`;
  return new RequestError("invalid_parameter", message);
}

/** Adds the operation to errors of `parse`: "Operation 2, image/sharpen: `sigma` must be …". */
async function nameStep<Value>(
  index: number,
  { id }: Operation,
  parse: () => Promise<Value>,
): Promise<Value> {
  try {
    return await parse();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(error.code, `Operation ${index + 1}, ${id}: ${error.message}`);
  }
}

interface ParsedChain {
  readonly steps: readonly [ChainStep, ...ChainStep[]];
  readonly keepsSteps: boolean;
}

function readChain(
  fields: Record<string, unknown>,
  encoding: RequestBody["encoding"],
): ParsedChain {
  const schema = inputSchema(chainRequest);
  const values =
    encoding === "multipart"
      ? { ...parseFormFields(fields, schema), ...parseFormOperations(fields) }
      : fields;
  const parsed = chainRequest.safeParse(values, reportInput);
  if (!parsed.success) throw invalid(chainMessage(parsed.error));
  const [first, ...rest] = parsed.data.operations.map(({ type, params }, index) => {
    const operation = findOperation(type);
    if (operation) return { operation, given: params };
    const suggestion = didYouMean(suggestOperations(type));
    throw invalid(
      suggestion
        ? `Operation ${index + 1}: \`type\` has no such value.${suggestion} See GET /v1/operations.`
        : `Operation ${index + 1}: \`type\` must be the id of an operation, see GET /v1/operations.`,
    );
  });
  if (!first) throw invalid("`operations` must have 1 to 10 operations.");
  return { steps: [first, ...rest], keepsSteps: parsed.data.keep_steps };
}

/** The list of operations in a form, which is JSON. */
function parseFormOperations({ operations }: Record<string, unknown>): { operations?: unknown } {
  if (operations === undefined) return {};
  const allowed = "a list of 1 to 10 objects with `type` and `params`";
  return { operations: requireFormJson("operations", operations, allowed) };
}

/** The fields that a chain has in common with other requests. */
const chainFields = ["input", ...commonFields];

/** Throws for a field of the chain among the parameters of one of its operations. */
function requireOwnFields(given: Record<string, unknown>): void {
  const name = chainFields.find((one) => Object.hasOwn(given, one));
  if (name === undefined) return;
  throw invalid(`\`${name}\` is not a parameter of an operation. Send it next to \`operations\`.`);
}

function chainMessage(error: z.ZodError): string {
  const [issue] = error.issues;
  const [, index, field] = issue?.path ?? [];
  if (!issue || typeof index !== "number") {
    return schemaMessage(error, inputSchema(chainRequest), chainFields);
  }
  const step = `Operation ${index + 1}`;
  if (field === "type")
    return `${step}: \`type\` must be the id of an operation, such as image/sharpen.`;
  if (field === "params") return `${step}: \`params\` must be an object.`;
  if (issue.code !== "unrecognized_keys") {
    return `${step} must be an object with \`type\` and \`params\`.`;
  }
  const [key = ""] = issue.keys;
  const suggestion = didYouMean(suggest(key, ["type", "params"]));
  return `${step}: ${showName(key)} is not one of its fields.${suggestion} Allowed fields: \`type\`, \`params\`.`;
}

/** The parameters without those that name files. */
function withoutFiles(
  operation: Operation,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const names = fileFields(operation);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
}

function invalid(message: string): RequestError {
  return new RequestError("invalid_parameter", message);
}
