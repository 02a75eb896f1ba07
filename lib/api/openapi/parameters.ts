import type { z } from "zod";
import { type Endpoint, type JsonSchema, placeholdersOf } from "../definition/endpoint.ts";
import { sharedParameters } from "../definition/parameters.ts";
import { requestHeaders } from "../definition/request-headers.ts";
import { inputSchema } from "../http/schema-messages.ts";

const signatureParameters = {
  Expires: {
    name: "expires",
    in: "query",
    required: true,
    schema: { type: "integer", minimum: 0 },
    description: "When the URL expires, in seconds since 1970.",
  },
  Signature: {
    name: "signature",
    in: "query",
    required: true,
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    description: "The service's signature of the path and `expires`.",
  },
};

/** Parameters that several endpoints share, by their component names. */
export function parameterComponents(): JsonSchema {
  const headers = Object.entries(requestHeaders).map(([component, header]) => [
    component,
    { ...header, in: "header" },
  ]);
  const shared = sharedParameters.map(({ component, in: place, name, schema }) => [
    component,
    place === "path" ? pathParameter(name, schema) : queryParameter(name, schema),
  ]);
  return { ...Object.fromEntries([...headers, ...shared]), ...signatureParameters };
}

/** The parameters of an endpoint at `path`: of the path, the query and the headers. */
export function parametersOf(endpoint: Endpoint, path: string): JsonSchema[] {
  const { params, query, headers = [], access } = endpoint;
  const fields = (schema: z.ZodObject | undefined) => {
    const shape: Readonly<Record<string, z.ZodType>> = { ...schema?.shape };
    return Object.entries(shape);
  };
  const placeholders = placeholdersOf(path);
  return [
    ...fields(params)
      .filter(([name]) => placeholders.includes(name))
      .map(([name, schema]) => sharedReference(name, schema) ?? pathParameter(name, schema)),
    ...fields(query).map(
      ([name, schema]) => sharedReference(name, schema) ?? queryParameter(name, schema),
    ),
    ...(access === "signedLink" ? Object.keys(signatureParameters) : []).map(reference),
    ...headers.map(reference),
  ];
}

function reference(component: string): JsonSchema {
  return { $ref: `#/components/parameters/${component}` };
}

function sharedReference(name: string, schema: z.ZodType): JsonSchema | undefined {
  const shared = sharedParameters.find((one) => one.name === name && one.schema === schema);
  return shared && reference(shared.component);
}

function pathParameter(name: string, schema: z.ZodType): JsonSchema {
  const { description, ...rest } = inputSchema(schema);
  return { name, in: "path", required: true, schema: rest, description };
}

function queryParameter(name: string, schema: z.ZodType): JsonSchema {
  // The format of a time says what its pattern would say in a thousand characters.
  const { description, pattern, ...rest } = inputSchema(schema);
  const initial = schema.safeParse(undefined).data;
  const own = {
    ...rest,
    ...(pattern && !rest.format ? { pattern } : {}),
    ...(initial === undefined ? {} : { default: initial }),
  };
  const style = own.type === "object" ? { style: "deepObject", explode: true } : {};
  return { name, in: "query", ...style, schema: own, description };
}
