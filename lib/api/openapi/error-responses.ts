import type { RequestErrorCode } from "#lib/errors.ts";
import type { JsonSchema } from "../definition/endpoint.ts";
import { errorSchema, errorStatuses, statusesOfCodes } from "../definition/errors.ts";
import {
  rateHeaderNames,
  responseHeaders,
  uploadErrorHeaderNames,
} from "../definition/response-headers.ts";
import { schemaReference } from "../definition/schema-reference.ts";
import { errorCodeHeader, headerReferences } from "./headers.ts";

/** The content of every error response. */
export const errorContent = { "application/json": { schema: schemaReference(errorSchema) } };

/** The error responses by their component names. */
export function errorComponents(): JsonSchema {
  return Object.fromEntries(
    errorStatuses.map(({ status, description, headers }) => [
      componentName(status),
      {
        description,
        headers: {
          ...headerReferences([...headers, ...rateHeaderNames, ...uploadErrorHeaderNames]),
          ...errorCodeHeader(status),
          ...(status === 409 ? optionalRetryAfter : {}),
        },
        content: errorContent,
      },
    ]),
  );
}

/** References to the error responses with these codes, and to those of every request. */
export function errorReferences(codes: readonly RequestErrorCode[]): JsonSchema {
  return Object.fromEntries(
    statusesOfCodes(codes).map((status) => [
      status,
      { $ref: `#/components/responses/${componentName(status)}` },
    ]),
  );
}

/** Only some conflicts end by themselves. */
const optionalRetryAfter = {
  "Retry-After": { ...responseHeaders["Retry-After"], required: false },
};

/** A published name: generated clients contain it. */
function componentName(status: number): string {
  return `Refusal${status}`;
}
