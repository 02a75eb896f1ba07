import type { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import type { Endpoint, ResponseTable } from "../definition/endpoint.ts";
import { readJson } from "./body.ts";
import { inputSchema, reportInput, schemaMessage, showName } from "./schema-messages.ts";

/** The validated parameters of a path. A malformed one names nothing that exists, so it is a 404. */
export function parsePathParams(
  schema: z.ZodObject | undefined,
  given: Readonly<Record<string, string>>,
): unknown {
  if (!schema) return {};
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new RequestError("not_found", parsed.error.issues[0]?.message ?? "This does not exist.");
}

/** The validated query. A repeated name is an error; an unknown one only if the schema is strict. */
export function parseQuery(schema: z.ZodObject | undefined, { searchParams }: URL): unknown {
  if (!schema) return {};
  const given = [...searchParams];
  const repeated = given.find(([name], index) => given.findIndex(([one]) => one === name) < index);
  if (repeated) {
    const message = `${showName(repeated[0])} must be in the query only once.`;
    throw new RequestError("invalid_parameter", message);
  }
  return parse(schema, Object.fromEntries(given));
}

/** The validated JSON body; undefined for an endpoint without one. */
export async function readJsonBody(body: Endpoint["body"], request: Request): Promise<unknown> {
  return body?.kind === "json" ? parse(body.schema, await readJson(request)) : undefined;
}

function parse(schema: z.ZodObject, given: unknown): unknown {
  const parsed = schema.safeParse(given, reportInput);
  if (parsed.success) return parsed.data;
  throw new RequestError("invalid_parameter", schemaMessage(parsed.error, inputSchema(schema)));
}

/** A handler's result as a response: itself, or the body of the first response of the table. */
export function toResponse(result: unknown, responses: ResponseTable): Response {
  if (result instanceof Response) return result;
  const status = Number(Object.keys(responses)[0]);
  return result === undefined ? new Response(null, { status }) : Response.json(result, { status });
}
