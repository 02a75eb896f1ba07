import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { endpoints as registry } from "#lib/api/endpoints/index.ts";
import { inputSchema } from "#lib/api/http/schema-messages.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { fetchDocument, listEndpoints, validator } from "#tests/service/http/openapi.ts";
import { openApiForm } from "#tests/service/http/openapi-form.ts";

const document = await fetchDocument();
const endpoints = listEndpoints(document);

it("is an OpenAPI 3.1 document", () => {
  expect(openApiForm.safeParse(document).error?.issues ?? []).toEqual([]);
});

it("every reference resolves, and every component is used", () => {
  const references = new Set(JSON.stringify(document).match(/#\/components\/[\w-]+\/[\w-]+/g));
  const { securitySchemes: _, ...kinds } = document.components;
  const components = Object.entries(kinds).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  );
  expect([...references].sort()).toEqual(components.sort());
});

it("no two operations have the same id", () => {
  const ids = endpoints.map((endpoint) => endpoint.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

/** Endpoints for callers of the API. The others are the dashboard's own, or the operator's. */
const documented = registry.filter(({ internal }) => !internal);

it("every API endpoint is documented, and no other path", () => {
  const paths = documented.flatMap(({ path, variants = [] }) =>
    variants.length > 0 ? variants.map((one) => one.path) : [path],
  );
  expect(Object.keys(document.paths).sort()).toEqual([...new Set(paths)].sort());
});

it.each(Object.keys(document.paths))(
  "%s: the documented methods are those that it allows",
  async (path) => {
    const target = `${inject("service").url}${path.replaceAll(/[{}]/g, "")}`;
    const { headers } = await fetch(target, { method: "OPTIONS" });
    // HEAD is documented only for files, where it is useful.
    const allowed = headers.get("allow")?.split(", ") ?? [];
    const documented = Object.keys(document.paths[path] ?? {}).map((one) => one.toUpperCase());
    const implied = ["OPTIONS", ...(documented.includes("GET") ? ["HEAD"] : [])];
    expect([...new Set([...documented, ...implied])].sort()).toEqual(allowed.sort());
  },
);

it.each(endpoints.map((one) => [one.operationId, one] as const))(
  "%s: path and parameters agree, and each has a description",
  (_id, { path, parameters, requestBody }) => {
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = parameters.filter((one) => one.in === "path");
    expect(declared.map((one) => one.name)).toEqual(placeholders);
    expect(declared.every((one) => one.required)).toBe(true);
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        expect(property.description, name).toMatch(/\.$/);
      }
    }
  },
);

it.each(endpoints.map((one) => [one.operationId, one] as const))(
  "%s: its example matches its schema",
  (_id, { requestBody, parameters }) => {
    for (const { schema, example } of Object.values(requestBody?.content ?? {})) {
      if (example) expect(validator(document, schema).safeParse(example).error).toBeUndefined();
    }
    for (const { schema, ...parameter } of parameters) {
      if (!("example" in parameter)) continue;
      expect(validator(document, schema).safeParse(parameter.example).success).toBe(true);
    }
    const json = requestBody?.content["application/json"];
    expect(Boolean(json)).toBe(Boolean(json?.example));
  },
);

describe.each(operations.map((operation) => [operation.id, operation] as const))(
  "%s",
  (id, operation) => {
    const post = endpoints.find(({ path }) => path === `/v1/${id}`);
    const { schema, example } = post?.requestBody?.content["application/json"] ?? {};
    const form = post?.requestBody?.content["multipart/form-data"]?.schema.properties;

    it("has every parameter in both encodings, with its bounds and defaults", () => {
      for (const [name, property] of Object.entries(
        inputSchema(operation.params).properties ?? {},
      )) {
        expect(schema?.properties?.[name], name).toEqual(property);
        expect(form?.[name], name).toEqual(property);
      }
    });

    it("has the common fields of operations, and its files", () => {
      const parts = Object.keys(operation.files ?? {});
      const urlFields = parts.map((part) => `${part}_url`);
      const common = ["webhook_url", "metadata", ...urlFields];
      const { max } = operation.inputs;
      const [inputs, formInputs] =
        max === 0 ? [[], []] : [[max === 1 ? "input" : "inputs"], ["file", "input"]];
      const names = (fields = {}) => Object.keys(fields);
      expect(names(schema?.properties)).toEqual(expect.arrayContaining([...common, ...inputs]));
      expect(names(form)).toEqual(expect.arrayContaining([...common, ...parts, ...formInputs]));
      if (max === 0) expect(names(form)).not.toContain("file");
    });

    it("has the operation's example", () => {
      expect(example).toMatchObject(operation.example);
    });

    it("accepts a number's bounds and rejects values just outside them", () => {
      // One parameter at a time, because it can narrow another: MP3 has no 8 channels.
      const isAccepted = (name: string, value: number) => {
        const field = operation.params.shape[name];
        return field !== undefined && z.safeParse(field, value).success;
      };
      for (const [name, property] of Object.entries(schema?.properties ?? {})) {
        if (property.type !== "number" && property.type !== "integer") continue;
        if (property.enum) continue;
        const low = Number(property.minimum);
        const high = Number(property.maximum);
        const step = property.type === "integer" ? 1 : 1e-6;
        const accepted = [low - step, low, high, high + step].map((value) =>
          isAccepted(name, value),
        );
        expect(accepted, name).toEqual([false, true, true, false]);
      }
    });
  },
);
