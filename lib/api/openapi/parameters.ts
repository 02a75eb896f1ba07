import type { z } from "zod";
import { maxWaitSeconds } from "../http/prefer.ts";
import { inputSchema } from "../http/schema-messages.ts";
import { maxKeyLength } from "../idempotency.ts";

/** The parameters that several paths share; paths refer to them by name. */

const signature = (name: string, schema: object, description: string) => ({
  name,
  in: "query",
  required: true,
  schema,
  description,
});

export const parameters = {
  Prefer: {
    name: "Prefer",
    in: "header",
    schema: { type: "string", pattern: "^wait=([1-9]|[1-5][0-9]|60)$" },
    description: `\`wait=N\`, 1 to ${maxWaitSeconds}: answer when the job has ended, or after N seconds (RFC 7240).`,
    example: "wait=30",
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    schema: { type: "string", minLength: 1, maxLength: maxKeyLength },
    description:
      "A key of your own: the same key and request within 24 hours answer the first response again, and nothing is done twice.",
    example: "order-1042",
  },
  JobId: {
    name: "id",
    in: "path",
    required: true,
    schema: { type: "string", pattern: "^job_[0-9A-Za-z]{24}$" },
    description: "The job's id.",
  },
  Wait: {
    name: "wait",
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: maxWaitSeconds },
    description: "Answer when the job has ended, or after so many seconds.",
  },
  OutputIndex: {
    name: "index",
    in: "path",
    required: true,
    schema: { type: "integer", minimum: 0, maximum: 999_999 },
    description: "Which output, counted from 0.",
  },
  Range: {
    name: "Range",
    in: "header",
    schema: { type: "string" },
    description: "One range of bytes; several are answered with the whole file.",
    example: "bytes=0-1023",
  },
  IfRange: {
    name: "If-Range",
    in: "header",
    schema: { type: "string" },
    description: "The ETag for which Range holds; for another file the whole one comes.",
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    schema: { type: "string" },
    description: "ETags that you have; a file with one of them is not sent again.",
  },
  Expires: signature(
    "expires",
    { type: "integer", minimum: 0 },
    "When the address stops working, seconds since 1970.",
  ),
  Signature: signature(
    "signature",
    { type: "string", pattern: "^[0-9a-f]{64}$" },
    "Ours, over the path and expires.",
  ),
} as const;

/** References to the named parameters. */
export function withParameters(...names: (keyof typeof parameters)[]): object[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The query that `schema` reads, as parameters; what all may be left out of. */
export function queryParameters(schema: z.ZodObject): object[] {
  const defaults = schema.parse({});
  return Object.entries(inputSchema(schema).properties ?? {}).map(([name, field]) => {
    // A format says what the pattern of a time would say in a thousand characters.
    const { description, pattern, ...rest } = field;
    const initial = defaults[name];
    const own = {
      ...rest,
      ...(pattern && !field.format ? { pattern } : {}),
      ...(initial === undefined ? {} : { default: initial }),
    };
    return { name, in: "query", schema: own, description };
  });
}
