import { z } from "zod";
import { describeTypes } from "#lib/media/types.ts";
import type { Operation, OperationGroup } from "#lib/operations/define.ts";
import { fileField, parameterSchema, requestExample } from "../catalogue.ts";
import { jobRequestBody, jobResponses, partFields } from "./job-creation.ts";
import { withParameters } from "./parameters.ts";
import { schemaRef, withoutDialect } from "./schemas.ts";

export const groupTags: Record<OperationGroup, string> = {
  document: "Document",
  image: "Image",
  video: "Video",
  audio: "Audio",
  pipeline: "Pipeline",
};

/** `POST /v1/{group}/{operation}`, for one operation of the catalogue. */
export function operationPath(operation: Operation): object {
  const { properties, required } = parameterSchema(operation);
  const takes = describeTypes(operation.accepts);
  return {
    post: {
      tags: [groupTags[operation.group]],
      operationId: operationId(operation),
      summary: operation.summary,
      description: `Takes ${takes}. Answers at once with the job that does it, or when it has ended where you prefer to wait.`,
      parameters: withParameters("IdempotencyKey", "Prefer"),
      requestBody: jobRequestBody({
        properties,
        required,
        files: partFields(operation),
        input: fileField(`The file: ${takes}.`),
        example: requestExample(operation),
      }),
      responses: jobResponses(jobOf(operation)),
    },
  };
}

/** `image/watermark-text` is `imageWatermarkText`. */
function operationId({ id }: Operation): string {
  return id.replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The job of this operation: its own name and parameters. */
function jobOf({ id, params }: Operation): object {
  const validated = z.toJSONSchema(params, { io: "output", unrepresentable: "any" });
  const own = { operation: { const: id }, params: withoutDialect(validated) };
  return { allOf: [schemaRef("Job"), { type: "object", properties: own }] };
}
