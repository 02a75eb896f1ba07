import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import { chainName, chainPart } from "#lib/jobs/run/chain.ts";
import { describeTypes, type MediaTypeId, mediaTypesOfMime } from "#lib/media/types.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { acceptJob } from "./accept-job.ts";
import { requireEngines } from "./create-job.ts";
import type { RequestBody } from "./http/body.ts";
import type { KeyedContext } from "./http/route.ts";
import { describeIssue, inputSchema, reportInput, showName } from "./http/schema-messages.ts";
import {
  type ParsedJobRequest,
  parseCommon,
  parseFormJson,
  parseInput,
  parseParts,
  type RequestScope,
} from "./job-request.ts";
import { parseParams } from "./parameters.ts";

/** The `operations` of `POST /v1/jobs`. */
export const chainRequest = z.strictObject({
  operations: z
    .array(
      z.strictObject({
        type: z.string().describe("An operation's id, such as image/sharpen."),
        params: z.record(z.string(), z.unknown()).default({}).describe("Its parameters."),
      }),
      "must be a list of 1 to 10 objects with type and params",
    )
    .min(1, "must have 1 to 10 operations")
    .max(10, "must have 1 to 10 operations")
    .describe("1 to 10 operations, each taking the first output of the one before."),
});

/** `POST /v1/jobs`: accepts one job of several operations, checked as a whole. */
export function createChainJob(context: KeyedContext): Promise<Response> {
  return acceptJob(context, { operation: chainName, fileParts: ["file"], parse: parseChain });
}

interface ChainStep {
  readonly operation: Operation;
  readonly given: Record<string, unknown>;
}

async function parseChain(body: RequestBody, scope: RequestScope): Promise<ParsedJobRequest> {
  const { input: _input, webhook_url: _webhook, metadata: _metadata, ...rest } = body.fields;
  const [first, ...others] = readSteps(rest, body.encoding);
  const parsed: { type: string; params: Record<string, unknown> }[] = [];
  const parts: ParsedJobRequest["parts"] = {};
  const source = await parseInput(first.operation, body, scope);
  // Of an address nothing is known yet: it may be whatever the first operation takes.
  let types: readonly MediaTypeId[] =
    source.kind === "upload" ? mediaTypesOfMime(source.contentType) : first.operation.accepts;
  for (const [index, { operation, given }] of [first, ...others].entries()) {
    await requireEngines(operation);
    const params = await inStep(index, operation, async () => {
      types = types.filter((type) => operation.accepts.includes(type));
      if (types.length === 0) {
        const takes = describeTypes(operation.accepts);
        throw new RequestError("invalid_parameter", `it cannot follow: it takes ${takes}.`);
      }
      const keyOf = (part: string) => scope.keyOf(chainPart(index, part));
      const found = await parseParts(operation, given, {}, { ...scope, keyOf });
      for (const [part, source] of Object.entries(found)) parts[chainPart(index, part)] = source;
      return parseParams(operation, ownParameters(operation, given), "json");
    });
    parsed.push({ type: operation.id, params });
    types = types.map((type) => operation.produces(type, params));
  }
  return { params: { operations: parsed }, parts, source, ...parseCommon(body) };
}

/** A refusal within one operation names it: "Operation 2, image/sharpen: sigma must be …". */
async function inStep<Value>(
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

function readSteps(
  fields: Record<string, unknown>,
  encoding: RequestBody["encoding"],
): [ChainStep, ...ChainStep[]] {
  const { operations: listed } = fields;
  const values =
    encoding === "multipart" ? { ...fields, operations: parseFormJson(listed) } : fields;
  const result = chainRequest.safeParse(values, reportInput);
  if (!result.success) {
    throw new RequestError("invalid_parameter", describeChainIssue(result.error));
  }
  const [first, ...rest] = result.data.operations.map(({ type, params }) => {
    const operation = findOperation(type);
    if (operation) return { operation, given: params };
    const sentence = "operations names a type that does not exist; see GET /v1/operations.";
    throw new RequestError("invalid_parameter", sentence);
  });
  if (!first) throw new RequestError("invalid_parameter", "operations must not be empty.");
  return [first, ...rest];
}

function describeChainIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  const [, index, field] = issue?.path ?? [];
  if (!issue || typeof index !== "number") return describeIssue(error, inputSchema(chainRequest));
  const step = `Operation ${index + 1}`;
  if (field === "type") return `${step}: type must be an operation's id, such as image/sharpen.`;
  if (field === "params") return `${step}: params must be an object.`;
  if (issue.code !== "unrecognized_keys") return `${step} must be an object with type and params.`;
  const name = showName(issue.keys[0] ?? "");
  return `${step}: ${name} is not one of its fields; allowed are type and params.`;
}

/** The parameters without the addresses of file parts. */
function ownParameters(
  operation: Operation,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const addresses = Object.keys(operation.files ?? {}).map((part) => `${part}_url`);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !addresses.includes(name)));
}
