import { z } from "zod";
import { mediaType } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { type Operation, operationGroups } from "#lib/operations/define.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { constantJson } from "../../http/constant-json.ts";
import { outputSchema } from "../../http/schema-messages.ts";
import { parameterExample, parameterSchema } from "../../job-creation/request-schema.ts";

const listSchema = z
  .strictObject({
    operations: z.array(
      z.strictObject({
        id: z.string().meta({ pattern: `^(${operationGroups.join("|")})/[a-z][a-z0-9-]*$` }),
        summary: z.string(),
        accepts: z
          .array(z.string())
          .describe("Media types of the inputs; empty if it takes no file."),
        inputs: z
          .strictObject({ min: z.int().min(0), max: z.int().min(0) })
          .describe("How many files it takes. With more than one, send `inputs`, a list."),
        parameters: z
          .record(z.string(), z.unknown())
          .describe("The JSON Schema of the parameters."),
        result: z
          .record(z.string(), z.unknown())
          .nullable()
          .describe("The JSON Schema of the job's result; null if it has none."),
        example: z.record(z.string(), z.unknown()).describe("Valid parameters."),
      }),
    ),
  })
  .meta({ id: "OperationList", description: "The catalogue of operations." });

const respond = constantJson(() => ({ operations: operations.map(describeOperation) }));

export const listOperations = defineEndpoint({
  method: "GET",
  path: "/v1/operations",
  operationId: "listOperations",
  tag: "Account",
  summary: "List the operations with their parameters.",
  access: "public",
  headers: ["IfNoneMatch"],
  responses: {
    200: {
      description: "The catalogue.",
      body: listSchema,
      headers: ["Access-Control-Allow-Origin", "ETag"],
    },
    304: {
      description: "You have the catalogue already.",
      headers: ["Access-Control-Allow-Origin", "ETag"],
    },
  },
  handler: ({ request }) => respond(request),
});

function describeOperation(operation: Operation) {
  return {
    id: operation.id,
    summary: operation.summary,
    // Some types have one media type, such as Ogg with Vorbis and with Opus.
    accepts: [...new Set(operation.accepts.map((id) => mediaType(id).mime))],
    inputs: operation.inputs,
    parameters: { type: "object", ...parameterSchema(operation), additionalProperties: false },
    result: operation.result ? outputSchema(operation.result) : null,
    example: parameterExample(operation),
  };
}
