import type { JsonSchema } from "../definition/endpoint.ts";
import { codesOfStatus } from "../definition/errors.ts";
import { commonHeaderNames, type ResponseHeaderName } from "../definition/response-headers.ts";

/** References to the headers of every response and to those named. */
export function headerReferences(names: readonly ResponseHeaderName[]): JsonSchema {
  return Object.fromEntries(
    [...commonHeaderNames, ...names].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

/** The header `X-Error-Code` with the codes of a status. */
export function errorCodeHeader(status: number): JsonSchema {
  return {
    "X-Error-Code": {
      description: "The error code, for programs.",
      required: true,
      schema: { enum: codesOfStatus(status) },
    },
  };
}
