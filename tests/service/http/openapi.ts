import { inject } from "vitest";
import { z } from "zod";

/** Reads the service's OpenAPI document and checks responses against it. */

export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

interface Content {
  readonly schema: JsonSchema;
  readonly example?: Readonly<Record<string, unknown>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header" | "path";
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly description?: string;
}

interface DocumentedResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, { required?: boolean; schema: JsonSchema }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

/** One method of one path, with its references resolved. */
export interface Endpoint {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export async function fetchDocument(): Promise<OpenApi> {
  const response = await fetch(`${inject("service").url}/openapi.json`);
  // The tests check its form.
  return (await response.json()) as OpenApi;
}

/** Every method of every path. References inside schemas stay; `validator` resolves them. */
export function listEndpoints(document: OpenApi): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => {
      const resolved = resolveReferences(document, described) as Omit<Endpoint, "path" | "method">;
      return { ...resolved, parameters: resolved.parameters ?? [], path, method };
    }),
  );
}

function resolveReferences(document: OpenApi, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => resolveReferences(document, one));
  const reference = "$ref" in value ? String(value.$ref) : "";
  const [, , kind = "", name = ""] = reference.split("/");
  if (reference && kind !== "schemas") {
    return resolveReferences(document, document.components[kind]?.[name]);
  }
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    resolveReferences(document, one),
  ]);
  return Object.fromEntries(entries);
}

const validators = new WeakMap<JsonSchema, z.ZodType>();

/** A validator for a schema of the document. */
export function validator(document: OpenApi, schema: JsonSchema): z.ZodType {
  const known = validators.get(schema);
  if (known) return known;
  const whole = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const local = whole.replaceAll("#/components/schemas/", "#/$defs/");
  const made = z.fromJSONSchema(JSON.parse(local));
  validators.set(schema, made);
  return made;
}

/** Headers that HTTP, the framework and the browser policies add to every response. */
const transportHeaders =
  /^(?:connection|content-length|content-type|date|keep-alive|transfer-encoding|vary|x-accel-buffering|content-encoding|referrer-policy|strict-transport-security)$/;

/** How a response differs from the document; empty if it does not. */
export async function findFaults(
  document: OpenApi,
  endpoint: Endpoint,
  response: Response,
): Promise<string[]> {
  const body = Buffer.from(await response.arrayBuffer());
  const expected = endpoint.responses[response.status];
  if (!expected) return [`status ${response.status} is not documented: ${body.toString()}`];
  return [
    ...headerFaults(document, expected, response),
    ...bodyFaults(document, endpoint, expected, response, body),
  ];
}

function headerFaults(
  document: OpenApi,
  expected: DocumentedResponse,
  { headers }: Response,
): string[] {
  const faults: string[] = [];
  for (const [name, { required, schema }] of Object.entries(expected.headers)) {
    const value = headers.get(name);
    if (value === null && required) faults.push(`the header ${name} is missing`);
    if (value === null) continue;
    const typed = schema.type === "integer" ? Number(value) : value;
    if (!validator(document, schema).safeParse(typed).success) {
      faults.push(`the header ${name} is ${value}`);
    }
  }
  const documented = new Set(Object.keys(expected.headers).map((name) => name.toLowerCase()));
  for (const name of headers.keys()) {
    if (!documented.has(name) && !transportHeaders.test(name)) {
      faults.push(`the header ${name} is not documented`);
    }
  }
  return faults;
}

function bodyFaults(
  document: OpenApi,
  { method }: Endpoint,
  { content }: DocumentedResponse,
  { headers }: Response,
  body: Buffer,
): string[] {
  if (!content || method === "head") return body.length > 0 ? ["there is a body"] : [];
  const type = headers.get("content-type")?.split(";", 1)[0] ?? "";
  const described = content[type] ?? content["*/*"];
  if (!described) return [`the type ${type} is not documented`];
  if (type !== "application/json" || !content[type]) return [];
  const checked = validator(document, described.schema).safeParse(JSON.parse(body.toString()));
  return checked.success ? [] : [z.prettifyError(checked.error), body.toString()];
}
