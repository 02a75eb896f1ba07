import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Scope } from "#lib/api/definition/access.ts";
import { defineEndpoint } from "#lib/api/definition/define-endpoint.ts";
import type { Endpoint, Method } from "#lib/api/definition/endpoint.ts";
import { bodyStream } from "#lib/api/http/body.ts";
import type { Authorizers } from "#lib/api/http/callers/authorize.ts";
import { createRoutes } from "#lib/api/http/create-routes.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";

beforeAll(() => {
  log.level = "silent";
});

/**
 * An account on an unlimited plan, so that no rate is read from the database. The wrapper reads
 * only these fields.
 */
const account = { id: "acc_1", plan: "enterprise" } as Account;

/** A caller whose key grants `scopes`; a request without `X-API-Key` has no key. */
function grant(...scopes: Scope[]): Authorizers {
  const unauthorized = new RequestError("unauthorized", "No key.");
  return {
    apiKey: async (request) => {
      if (!request.headers.has("x-api-key")) throw unauthorized;
      return { account, apiKeyId: "key_test", scopes: new Set(scopes) };
    },
    session: async () => ({ account, sessionId: "session" }),
    visitor: async () => ({ account }),
    isTokenOrigin: async () => false,
  };
}

const id = z.string().regex(/^thing_\d$/, "There is no such thing.");
const shared = {
  path: "/v1/things/{id}",
  tag: "Jobs",
  summary: "Use a thing.",
  params: z.strictObject({ id }),
} as const;

const readThing = defineEndpoint({
  ...shared,
  method: "GET",
  operationId: "readThing",
  access: "apiKey",
  scope: "jobs:read",
  query: z.strictObject({ size: z.enum(["s", "l"]).optional().describe("Its size.") }),
  responses: {
    200: { description: "It.", body: z.object({ id: z.string(), size: z.string().optional() }) },
  },
  handler: async ({ params, query }) => ({ id: params.id, ...query }),
});

const changeThing = defineEndpoint({
  ...shared,
  method: "POST",
  operationId: "changeThing",
  access: "apiKey",
  scope: "jobs:write",
  body: {
    kind: "json",
    schema: z.strictObject({ count: z.number().int().min(1).max(9).describe("How many.") }),
    example: { count: 1 },
  },
  responses: { 201: { description: "Changed.", body: z.object({ count: z.number() }) } },
  handler: async ({ body }) => ({ count: body.count }),
});

const deleteThing = defineEndpoint({
  ...shared,
  method: "DELETE",
  operationId: "deleteThing",
  access: "signedLink",
  verifyLink: ({ id: named }, { signature }) => named === "thing_1" && signature !== null,
  linkError: () => new RequestError("forbidden", "This link is not valid."),
  responses: { 204: { description: "Deleted." } },
  handler: async () => undefined,
});

interface Call {
  readonly authorizers?: Authorizers;
  readonly endpoints?: readonly Endpoint[];
  readonly id?: string;
  readonly query?: string;
  readonly init?: RequestInit;
}

async function call(method: Method, options: Call = {}): Promise<Response> {
  const { authorizers = grant("jobs:read", "jobs:write"), query = "", init } = options;
  const { endpoints = [readThing, changeThing, deleteThing] } = options;
  const handlers = createRoutes(authorizers)(...endpoints);
  const headers = new Headers({ "x-api-key": "key", ...(init?.headers as object) });
  const request = new Request(`http://localhost/v1/things/x${query}`, { ...init, method, headers });
  return handlers[method](request, { params: Promise.resolve({ id: options.id ?? "thing_1" }) });
}

const json = (body: unknown) => ({
  init: { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
});

async function expectRejection(response: Response, status: number, message: string) {
  const body = await response.json();
  expect([response.status, body]).toEqual([status, { error: message }]);
  expect(response.headers.get("x-error-code")).toMatch(/^[a-z_]+$/);
}

describe("an API key", () => {
  it.each([
    ["jobs:read", "GET", 200],
    ["jobs:read", "POST", 403],
    ["jobs:write", "POST", 201],
    ["jobs:write", "GET", 403],
    ["account:read", "GET", 403],
  ] as const)("with the scope %s: %s responds %i", async (scope, method, status) => {
    const sent = method === "POST" ? json({ count: 2 }) : {};
    const response = await call(method, { authorizers: grant(scope), ...sent });
    expect(response.status).toBe(status);
  });

  it("without the scope reads which one is missing", async () => {
    const response = await call("GET", { authorizers: grant("jobs:write") });
    const message = "This API key does not have the scope `jobs:read`.";
    await expectRejection(response, 403, message);
    expect(response.headers.get("x-error-code")).toBe("forbidden");
  });

  it("is checked before the path, the query and the body", async () => {
    const response = await call("POST", {
      authorizers: grant(),
      id: "none",
      query: "?x",
      init: { body: "{" },
    });
    expect(response.status).toBe(403);
  });
});

describe("a signed link", () => {
  it.each([
    ["a valid signature", `?expires=1&signature=${"0".repeat(64)}`, 204],
    ["no signature", "", 403],
    ["another parameter", `?expires=1&signature=${"0".repeat(64)}&x=1`, 403],
  ])("with %s", async (_name, query, status) => {
    expect((await call("DELETE", { query })).status).toBe(status);
  });
});

describe("parameters", () => {
  it("reach the handler validated, and its result becomes the first response", async () => {
    const read = await call("GET", { query: "?size=l" });
    expect([read.status, await read.json()]).toEqual([200, { id: "thing_1", size: "l" }]);
    const changed = await call("POST", json({ count: 9 }));
    expect([changed.status, await changed.json()]).toEqual([201, { count: 9 }]);
  });

  it.each<[name: string, method: Method, options: Call, status: number, message: string]>([
    ["a malformed path", "GET", { id: "things" }, 404, "There is no such thing."],
    ["a wrong query", "GET", { query: "?size=m" }, 400, "`size` must be one of s, l."],
    [
      "an unknown name in the query",
      "GET",
      { query: "?color=red" },
      400,
      "`color` is not a parameter. Allowed parameters: `size`.",
    ],
    [
      "a name twice in the query",
      "GET",
      { query: "?size=s&size=l" },
      400,
      "`size` must be in the query only once.",
    ],
    ["a wrong body", "POST", json({ count: 0 }), 400, "`count` must be an integer from 1 to 9."],
    ["an empty body", "POST", json({}), 400, "`count` is required: an integer from 1 to 9."],
    [
      "a body of another type",
      "POST",
      { init: { body: "count=1" } },
      415,
      "`Content-Type` must be application/json.",
    ],
  ])("with %s are rejected", async (_name, method, options, status, message) => {
    await expectRejection(await call(method, options), status, message);
  });
});

describe("a body whose fields are all optional", () => {
  const makeThing = defineEndpoint({
    ...shared,
    method: "POST",
    operationId: "makeThing",
    access: "apiKey",
    scope: "jobs:write",
    body: {
      kind: "json",
      schema: z.strictObject({ size: z.enum(["s", "l"]).default("s").describe("Its size.") }),
      example: {},
    },
    responses: { 201: { description: "Made.", body: z.object({ size: z.string() }) } },
    handler: async ({ body }) => body,
  });
  const make = (init: RequestInit) => call("POST", { endpoints: [makeThing], init });
  const json = { "content-type": "application/json" };

  it.each<[string, RequestInit]>([
    ["no body", {}],
    ["an empty body of JSON", { body: "", headers: json }],
    [
      "an empty form",
      { body: "", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ],
    ["{}", { body: "{}", headers: json }],
  ])("may be missing: %s", async (_name, init) => {
    const response = await make(init);
    expect([response.status, await response.json()]).toEqual([201, { size: "s" }]);
  });

  it.each<[string, RequestInit, number]>([
    ["another type", { body: "size=l" }, 415],
    ["white space", { body: " ", headers: json }, 400],
    ["an unknown field", { body: '{"a":1}', headers: json }, 400],
  ])("is checked if there is one: %s", async (_name, init, status) => {
    expect((await make(init)).status).toBe(status);
  });
});

describe("a query of an endpoint without one", () => {
  it("must be empty under /v1, but for signed links", async () => {
    const sent = await call("POST", { ...json({ count: 2 }), query: "?count=2" });
    const message = "The query must be empty. Send the parameters in the body of the request.";
    await expectRejection(sent, 400, message);
    const { body: _body, ...plain } = changeThing;
    const endpoints = [{ ...plain, handler: async () => ({ count: 1 }) }];
    const noBody = await call("POST", { endpoints, query: "?count=2" });
    await expectRejection(noBody, 400, "`count` is not a parameter. There are none.");
  });
});

describe("a method", () => {
  it("without an endpoint gets 405 and the allowed methods", async () => {
    const allow = "GET, HEAD, POST, DELETE, OPTIONS";
    const response = await call("PUT");
    expect(response.headers.get("allow")).toBe(allow);
    const message = `The method PUT is not allowed here. Allowed methods: ${allow}.`;
    await expectRejection(response, 405, message);
    const options = await call("OPTIONS");
    expect([options.status, options.headers.get("allow")]).toEqual([204, allow]);
  });

  it("of a path without endpoints gets 404", async () => {
    for (const method of ["GET", "POST", "OPTIONS"] as const) {
      const response = await call(method, { endpoints: [] });
      expect(response.status).toBe(404);
    }
  });

  it("HEAD responds like GET without the body", async () => {
    const response = await call("HEAD");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-type")).toBe("application/json");
  });
});

describe("every response", () => {
  const failing = (error: Error) =>
    defineEndpoint({
      ...shared,
      method: "GET",
      operationId: "failThing",
      access: "public",
      responses: { 200: { description: "Never." } },
      handler: () => Promise.reject(error),
    });

  it("has the request's id and the headers against guessing and caching", async () => {
    const requestId = `req_${"0".repeat(24)}`;
    for (const method of ["GET", "PUT"] as const) {
      const response = await call(method, { init: { headers: { "x-request-id": requestId } } });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "x-request-id": requestId,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
    }
  });

  it("to an unexpected error has a fixed message and no detail", async () => {
    const response = await call("GET", { endpoints: [failing(new Error("select secret"))] });
    const text = await response.text();
    expect([response.status, response.headers.get("x-error-code")]).toEqual([500, "internal"]);
    expect(text).not.toContain("secret");
  });
});

describe("a database that does not respond after the bytes of a file", () => {
  // This process has none. The watchdog looks for it after 3 seconds.
  const storesFor = 4500;
  const storeThing = (method: "PUT" | "POST") =>
    defineEndpoint({
      ...shared,
      method,
      operationId: "storeThing",
      access: "public",
      body: { kind: "stream", description: "A file.", content: {} },
      responses: { 204: { description: "Stored." } },
      handler: async ({ request }) => {
        await buffer(bodyStream(request));
        return wait(storesFor, undefined);
      },
    });

  it.each([
    ["lets a PUT end, whose file could not be sent again", "PUT", "text/plain", 204],
    ["ends a form, which can be sent again", "POST", "multipart/form-data; boundary=b", 500],
  ] as const)("%s", async (_name, method, type, status) => {
    const init = { body: "bytes", headers: { "content-type": type } };
    const response = await call(method, { endpoints: [storeThing(method)], init });
    expect(response.status).toBe(status);
  });
});
