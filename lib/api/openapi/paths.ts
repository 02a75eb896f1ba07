import type { RequestErrorCode } from "#lib/errors.ts";
import {
  type Endpoint,
  type EndpointDocument,
  isBodyRequired,
  type JsonSchema,
  placeholdersOf,
  type ResponseDefinition,
} from "../definition/endpoint.ts";
import { rateHeaderNames } from "../definition/response-headers.ts";
import { inputSchema } from "../http/schema-messages.ts";
import { errorContent, errorReferences } from "./error-responses.ts";
import { errorCodeHeader, headerReferences } from "./headers.ts";
import { parametersOf } from "./parameters.ts";
import { responseSchema, type SchemaComponents } from "./schemas.ts";

type Paths = Record<string, Record<string, JsonSchema>>;

/** The paths of the endpoints. Their response schemas are added to `components`. */
export function documentPaths(endpoints: readonly Endpoint[], components: SchemaComponents): Paths {
  const paths: Paths = {};
  for (const endpoint of endpoints) {
    if (endpoint.internal) continue;
    for (const shown of endpoint.variants ?? [endpoint]) {
      const item = paths[shown.path] ?? {};
      paths[shown.path] = item;
      const operation = documentOperation(endpoint, shown, components);
      item[endpoint.method.toLowerCase()] = operation;
      if (endpoint.documentsHead) item.head = documentHead(operation);
    }
  }
  return paths;
}

/** One endpoint; `shown` is the endpoint itself or one of its variants. */
function documentOperation(
  endpoint: Endpoint,
  shown: EndpointDocument,
  components: SchemaComponents,
): JsonSchema {
  // Once, because a variant may convert its schemas each time its body is read.
  const { path, operationId, tag, summary, description, body } = shown;
  const parameters = parametersOf(endpoint, path);
  const responses = Object.entries(shown.responses).map(([status, response]) => [
    status,
    documentResponse(path, Number(status), response, components),
  ]);
  return {
    tags: [tag],
    operationId,
    summary,
    ...(description ? { description } : {}),
    ...(endpoint.access === "apiKey" ? {} : { security: [] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: documentBody(endpoint.method, body) } : {}),
    responses: {
      ...errorReferences(errorCodesOf(endpoint, path, body)),
      ...Object.fromEntries(responses),
    },
  };
}

/** HEAD of a GET endpoint: the service itself responds, and redirects no client. */
function documentHead(operation: JsonSchema): JsonSchema {
  const { 302: _redirect, ...responses } = Object(operation.responses);
  return {
    ...operation,
    responses,
    operationId: `${operation.operationId}Head`,
    summary: `${operation.summary} Only its headers.`,
  };
}

function documentBody(method: string, body: NonNullable<EndpointDocument["body"]>): JsonSchema {
  if (body.kind === "json") {
    const schema = inputSchema(body.schema);
    const required = isBodyRequired(method, body);
    return { required, content: { "application/json": { schema, example: body.example } } };
  }
  const { description, content } = body;
  return { required: true, ...(description ? { description } : {}), content };
}

function documentResponse(
  path: string,
  status: number,
  { description, body, content, headers = [], isError }: ResponseDefinition,
  components: SchemaComponents,
): JsonSchema {
  const rate = path.startsWith("/v1/") ? rateHeaderNames : [];
  const described = Object.entries(content ?? {}).map(([type, schema]) => [type, { schema }]);
  const json = body && { "application/json": { schema: responseSchema(body, components) } };
  const all = { ...Object.fromEntries(described), ...json, ...(isError ? errorContent : {}) };
  return {
    description,
    headers: {
      ...headerReferences([...rate, ...headers]),
      ...(isError ? errorCodeHeader(status) : {}),
    },
    ...(Object.keys(all).length > 0 ? { content: all } : {}),
  };
}

/** The error codes that an endpoint may respond with, except those of every request. */
function errorCodesOf(
  endpoint: Endpoint,
  path: string,
  body: EndpointDocument["body"],
): RequestErrorCode[] {
  const { access, createsWork, errors = [] } = endpoint;
  const codes: RequestErrorCode[] = [...errors];
  // No key lacks a scope yet, so `forbidden` is an error of signed links and suspended accounts only.
  if (access === "apiKey") codes.push("unauthorized", "forbidden");
  if (access === "signedLink") codes.push("forbidden");
  // All other endpoints read the database.
  if (access !== "public") codes.push("unavailable");
  if (createsWork) codes.push("rate_limited");
  if (access === "apiKey" && placeholdersOf(path).length > 0) codes.push("not_found");
  if (body?.kind === "json") codes.push("too_large", "unsupported_media_type");
  return codes;
}
