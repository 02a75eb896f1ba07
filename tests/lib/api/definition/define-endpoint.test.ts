import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineEndpoint, defineRegistry } from "#lib/api/definition/define-endpoint.ts";
import type { Endpoint } from "#lib/api/definition/endpoint.ts";

const good = {
  method: "POST",
  path: "/v1/things/{id}",
  operationId: "changeThing",
  tag: "Jobs",
  summary: "Change a thing.",
  access: "apiKey",
  scope: "jobs:write",
  params: z.strictObject({ id: z.string() }),
  responses: { 204: { description: "Changed." } },
  handler: async () => undefined,
} as const;

/** Some changes break the types, as definitions without them can. */
const define = (changes: object): Endpoint => defineEndpoint({ ...good, ...changes } as never);
const text = z.string().describe("A text.");

describe("a definition fails at load if", () => {
  it.each([
    ["its id is not in camel case", { operationId: "change-thing" }, /operationId/],
    ["its summary is missing", { summary: "" }, /summary is missing/],
    ["a path parameter has no schema", { params: undefined }, /params are not id/],
    ["its path lacks a parameter", { path: "/v1/things" }, /params are not/],
    ["a path parameter has another name", { path: "/v1/things/{key}" }, /params are not key/],
    ["its scope does not exist", { scope: "things:write" }, /scope does not exist/],
    ["an API key opens a page", { path: "/things/{id}" }, /under \/v1 only/],
    ["a session opens the API", { access: "session" }, /\/dashboard\/api only/],
    ["GET creates work", { method: "GET", createsWork: true }, /GET creates work/],
    ["no account creates the work", { access: "public", createsWork: true }, /no account/],
    ["DELETE has a body", { method: "DELETE", body: { kind: "stream" } }, /DELETE has a body/],
    [
      "its example does not parse",
      { body: { kind: "json", schema: z.strictObject({ a: text }), example: {} } },
      /example does not parse/,
    ],
    [
      "a field of the body has no description",
      { body: { kind: "json", schema: z.strictObject({ a: z.string() }), example: { a: "" } } },
      /a has no description/,
    ],
    ["a field of the query has no description", { query: z.object({ a: z.string() }) }, /a has no/],
    ["a secret is in the query", { query: z.object({ api_key: text }) }, /secret in the query/],
    ["an error code is unknown", { errors: ["teapot"] }, /teapot is not documented/],
    ["it never succeeds", { responses: { 404: { description: "Missing." } } }, /no response/],
  ])("%s", (_name, changes, message) => {
    expect(() => define(changes)).toThrow(message);
  });
});

describe("a registry fails at load if two endpoints have", () => {
  it.each([
    ["the same id", { path: "/v1/others/{id}" }],
    ["the same method and path", { operationId: "replaceThing" }],
    [
      "paths that differ in the name of a parameter",
      { operationId: "replaceThing", path: "/v1/things/{key}", params: z.object({ key: text }) },
    ],
  ])("%s", (_name, changes) => {
    expect(() => defineRegistry([define({}), define(changes)])).toThrow(/is taken/);
  });
});

it("a good definition is an endpoint", () => {
  expect(defineRegistry([define({})])).toMatchObject([{ operationId: "changeThing" }]);
});
