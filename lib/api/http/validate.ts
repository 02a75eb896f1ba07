import type { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import {
  type Endpoint,
  isBodyRequired,
  type RequestContext,
  type ResponseTable,
} from "../definition/endpoint.ts";
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

/** The validated query. A repeated or unknown name is an error; without a schema, the query is ignored. */
export function parseQuery(schema: z.ZodObject | undefined, { searchParams }: URL): unknown {
  if (!schema) return {};
  const given = [...searchParams];
  const repeated = given.find(([name], index) => given.findIndex(([one]) => one === name) < index);
  if (repeated) {
    const message = `${showName(repeated[0])} must be in the query only once.`;
    throw new RequestError("invalid_parameter", message);
  }
  return parseFields(schema, joinObjects(given, schema));
}

/** Joins `field[key]=value` to the object `field`, if the schema has a field of that name. */
function joinObjects(given: readonly [string, string][], schema: z.ZodObject): object {
  const fields = new Map<string, unknown>();
  const objects = new Map<string, [string, string][]>();
  for (const [name, value] of given) {
    const [, field = "", key = ""] = /^(\w+)\[(.*)\]$/s.exec(name) ?? [];
    if (!Object.hasOwn(schema.shape, field)) fields.set(name, value);
    // Zod drops the second from records, and the filter with it.
    else if (key === "" || key === "__proto__") throw wrongKey(name, field, schema);
    else objects.set(field, [...(objects.get(field) ?? []), [key, value]]);
  }
  for (const [field, entries] of objects) {
    // A field that is also given as text stays text, which is not valid for an object.
    if (!fields.has(field)) fields.set(field, Object.fromEntries(entries));
  }
  return Object.fromEntries(fields);
}

function wrongKey(name: string, field: string, schema: z.ZodObject): RequestError {
  const isObject = inputSchema(schema).properties?.[field]?.type === "object";
  const message = isObject
    ? `\`${field}\` must be given as \`${field}[key]=value\`, with a key that is not empty and not \`__proto__\`.`
    : `${showName(name)} is not a parameter. Did you mean \`${field}\`?`;
  return new RequestError("invalid_parameter", message);
}

/** The validated JSON body; undefined for an endpoint without one. */
export async function readJsonBody(
  body: Endpoint["body"],
  { request, record }: RequestContext,
): Promise<unknown> {
  if (body?.kind !== "json") return undefined;
  const fields = await readJson(request, { mayBeEmpty: !isBodyRequired(request.method, body) });
  record.body = { encoding: "json", fields };
  return parseFields(body.schema, fields);
}

/** The fields of a request by their schema. Throws `invalid_parameter`. */
export function parseFields<Schema extends z.ZodObject>(
  schema: Schema,
  given: unknown,
): z.output<Schema> {
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
