import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import { jobSchema } from "#lib/jobs/view/job.ts";
import { describeTypes } from "#lib/media/types.ts";
import { findOperation, operations } from "#lib/operations/catalogue/index.ts";
import { suggestOperations } from "#lib/operations/catalogue/suggest.ts";
import type { Operation, OperationGroup } from "#lib/operations/define.ts";
import { didYouMean } from "#lib/typos/suggest.ts";
import type { AccountCaller } from "../../definition/access.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import type {
  EndpointDocument,
  EndpointTag,
  JsonSchema,
  RequestContext,
  StreamBody,
} from "../../definition/endpoint.ts";
import { noQuery } from "../../definition/parameters.ts";
import { schemaReference } from "../../definition/schema-reference.ts";
import { inputSchema, type ObjectSchema, outputSchema } from "../../http/schema-messages.ts";
import { acceptJob } from "../../job-creation/accept-job.ts";
import { type ParsedJobRequest, parseJobRequest } from "../../job-creation/job-request.ts";
import { repeatableFields } from "../../job-creation/parse-params.ts";
import { jobErrors, jobRequestBody, jobResponses } from "../../job-creation/request-body.ts";
import { inputField, parameterSchema, requestExample } from "../../job-creation/request-schema.ts";
import { requireEngines } from "../../job-creation/require-engines.ts";
import { requireSandboxForFiles } from "../../job-creation/require-sandbox.ts";
import { filePartNames } from "../../job-creation/sources.ts";

const groupTags: Record<OperationGroup, EndpointTag> = {
  document: "Document",
  image: "Image",
  video: "Video",
  audio: "Audio",
  pipeline: "Pipeline",
};

/** The group and name of an operation in the catalogue. */
export const operationParams = z
  .strictObject({ group: z.string(), operation: z.string() })
  .refine(({ group, operation }) => findOperation(`${group}/${operation}`) !== undefined, {
    error: ({ input }) => {
      const { group, operation } = input as { group: string; operation: string };
      const suggestion = didYouMean(suggestOperations(`${group}/${operation}`));
      return `There is no such operation.${suggestion} See GET /v1/operations.`;
    },
  });

export const runOperation = defineEndpoint({
  method: "POST",
  path: "/v1/{group}/{operation}",
  operationId: "runOperation",
  tag: "Jobs",
  summary: "Run an operation on a file, as a job.",
  access: "apiKey",
  scope: "jobs:write",
  forTokens: true,
  createsWork: true,
  params: operationParams,
  query: noQuery,
  headers: ["IdempotencyKey", "Prefer"],
  responses: jobResponses({ body: jobSchema }),
  errors: jobErrors,
  variants: operations.map(documentOperation),
  handler: (context) => acceptOperation(context),
});

/** The path's parameters. */
export type OperationPath = z.output<typeof operationParams>;

/**
 * Accepts a job of the operation in the path. `check` throws if the caller may not send this request.
 */
export async function acceptOperation(
  context: RequestContext & AccountCaller & { readonly params: OperationPath },
  check: (request: ParsedJobRequest) => void = () => {},
): Promise<Response> {
  const { group, operation: name } = context.params;
  const operation = findOperation(`${group}/${name}`);
  if (!operation) throw new RequestError("not_found", "There is no such operation.");
  await requireEngines(operation);
  return acceptJob(context, {
    operation: operation.id,
    fileParts: filePartNames(operation),
    maxInputs: operation.inputs.max,
    repeatable: repeatableFields(operation),
    schema: inputSchema(operation.params),
    async parse(body) {
      const request = await parseJobRequest(operation, body, context.account.id);
      await requireSandboxForFiles(operation, request);
      check(request);
      return request;
    },
  });
}

/**
 * The path of one operation in the OpenAPI document. Its schemas are converted when the document is written: for all
 * operations that takes longer than everything else that this module does when it is loaded.
 */
function documentOperation(operation: Operation): EndpointDocument {
  const { id, group, summary, inputs } = operation;
  const accepted =
    inputs.max === 0 ? "Takes no file." : `Accepts ${describeTypes(operation.accepts)}.`;
  return {
    path: `/v1/${id}`,
    operationId: id.replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tag: groupTags[group],
    summary,
    description: `${accepted} Responds at once with the pending job, or with the finished job if you prefer to wait.`,
    get body() {
      return documentBody(operation);
    },
    get responses() {
      return jobResponses({ content: { "application/json": jobSchemaOf(operation) } });
    },
  };
}

function documentBody(operation: Operation): StreamBody {
  const { files } = operation;
  return jobRequestBody({
    ...parameterSchema(operation),
    ...(files ? { files } : {}),
    input: inputField(operation),
    example: requestExample(operation),
  });
}

/** A job with the parameters and the result of this operation. */
function jobSchemaOf({ id, files, params, result }: Operation): JsonSchema {
  const ownFields = {
    operation: { const: id },
    params: shownParamsSchema(params, Object.keys(files ?? {})),
    result: result ? { anyOf: [outputSchema(result), { type: "null" }] } : { type: "null" },
  };
  return { allOf: [schemaReference(jobSchema), { type: "object", properties: ownFields }] };
}

/** The parameters as a job shows them: with the URLs that were given for the further files `parts`. */
function shownParamsSchema(params: Operation["params"], parts: readonly string[]): ObjectSchema {
  const schema = outputSchema(params);
  const url = {
    type: "string",
    description: "The URL of the file, if one was given: without query values, or `***`.",
  } as const;
  const urls = Object.fromEntries(parts.map((part) => [`${part}_url`, url]));
  return { ...schema, properties: { ...schema.properties, ...urls } };
}
