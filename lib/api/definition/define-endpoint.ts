import { z } from "zod";
import { type AccessKind, scopes } from "./access.ts";
import {
  type Endpoint,
  type EndpointDefinition,
  placeholdersOf,
  type ResponseTable,
} from "./endpoint.ts";
import { requestErrorDescriptions } from "./errors.ts";

/**
 * Checks a definition and returns it as an endpoint. A bad definition throws here, when the module is
 * loaded, and not on a request.
 */
export function defineEndpoint<
  Kind extends AccessKind,
  const Responses extends ResponseTable,
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(definition: EndpointDefinition<Kind, Params, Query, Body, Responses>): Endpoint {
  // The registry holds endpoints of many shapes; the wrapper validates what the handler receives.
  const endpoint = definition as unknown as Endpoint;
  for (const check of checks) {
    const fault = check(endpoint);
    if (fault) throw new Error(`endpoint ${endpoint.operationId}: ${fault}`);
  }
  return endpoint;
}

/** Returns what is wrong, or nothing. */
type Check = (endpoint: Endpoint) => string | false | undefined;

const summaryPattern = /^[A-Z].*\.$/s;
const writes = ["POST", "PUT", "PATCH"];
const secretName = /secret|password|token|api_?key/i;

const checks: readonly Check[] = [
  ({ operationId }) =>
    !/^[a-z][A-Za-z0-9]+$/.test(operationId) && "operationId is not in camel case",
  ({ summary }) => !summaryPattern.test(summary) && "summary is missing or has no period",
  ({ path, params }) => {
    const placeholders = placeholdersOf(path).join();
    return (
      placeholders !== Object.keys(params?.shape ?? {}).join() && `params are not ${placeholders}`
    );
  },
  (endpoint) =>
    endpoint.access === "apiKey" && !scopes.includes(endpoint.scope) && "scope does not exist",
  ({ access, path }) =>
    access === "apiKey" && !path.startsWith("/v1/") && "an API key opens paths under /v1 only",
  ({ access, path }) =>
    access === "session" &&
    !path.startsWith("/dashboard/api/") &&
    "a session opens /dashboard/api only",
  ({ access, path }) =>
    access === "visitor" && !path.startsWith("/try/") && "a visitor opens paths under /try only",
  ({ createsWork, method }) => createsWork && method !== "POST" && `${method} creates work`,
  ({ createsWork, access }) =>
    createsWork &&
    !["apiKey", "session", "visitor"].includes(access) &&
    "no account creates the work",
  ({ body, method }) => body && !writes.includes(method) && `${method} has a body`,
  ({ body }) => {
    const parsed = body?.kind === "json" ? body.schema.safeParse(body.example) : undefined;
    return parsed?.error && `the example does not parse: ${z.prettifyError(parsed.error)}`;
  },
  ({ body, query }) => {
    const fields: Readonly<Record<string, z.ZodType>> = {
      ...query?.shape,
      ...(body?.kind === "json" ? body.schema.shape : {}),
    };
    const bare = Object.entries(fields).find(([, field]) => !field.description);
    return bare && `${bare[0]} has no description`;
  },
  ({ query }) => {
    const secret = Object.keys(query?.shape ?? {}).find((name) => secretName.test(name));
    return secret && `${secret} is a secret in the query`;
  },
  ({ errors = [] }) => {
    const unknown = errors.find((code) => !Object.hasOwn(requestErrorDescriptions, code));
    return unknown && `the error code ${unknown} is not documented`;
  },
  ({ responses }) =>
    !Object.keys(responses).some((status) => Number(status) < 400) && "no response",
];

/** Checks that no two endpoints share an id, or a method and path. Returns the endpoints. */
export function defineRegistry(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const taken = new Set<string>();
  for (const { operationId, method, path, variants = [] } of endpoints) {
    const route = `${method} ${path.replaceAll(/\{\w+/g, "{")}`;
    for (const name of [operationId, route, ...variants.map((one) => one.operationId)]) {
      if (taken.has(name)) throw new Error(`endpoint ${operationId}: ${name} is taken`);
      taken.add(name);
    }
  }
  return endpoints;
}
