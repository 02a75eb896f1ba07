import { afterAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { findOperation, operations } from "#lib/operations/catalogue/index.ts";
import { badLengths } from "#tests/hostile/requests/bad-lengths.ts";
import {
  badBodies,
  badJobQueries,
  badQueries,
  input,
  sharpenPath,
} from "#tests/hostile/requests/bad-requests.ts";
import { expectHealthyService } from "#tests/hostile/stale-files.ts";
import { Client } from "#tests/service/http/client.ts";
import { postRaw } from "#tests/service/http/raw-http.ts";
import { expectError } from "#tests/support/expect-error.ts";

const client = new Client();

afterAll(() => expectHealthyService());

describe("rejects a request with", () => {
  it.each(badBodies)("$id", async ({ path = sharpenPath, body, headers, code }) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : body(),
      duplex: "half",
    };
    await expectError(await client.request(path, init), code);
  });

  it.each(badQueries)("the query %s", async (query) => {
    await expectError(await client.request(`/v1/jobs?${query}`), "invalid_parameter");
  });

  it.each(badJobQueries)("the query %s for a job", async (query) => {
    const path = `/v1/jobs/job_${"0".repeat(24)}?${query}`;
    await expectError(await client.request(path), "invalid_parameter");
  });

  it.each(badLengths)("a length $id", async ({ id: _id, status, ...request }) => {
    const response = await postRaw({ path: sharpenPath, ...request });
    expect(response.status, response.body).toBe(status);
  });
});

it.each([
  ["the last of two values for one name", `{${input}, "sigma": 1, "sigma": 2}`, { sigma: 2 }],
  ["a byte order mark before the JSON", `\ufeff{${input}}`, { sigma: 1 }],
  ["an integer with an exponent", `{${input}, "sigma": 1e0}`, { sigma: 1 }],
])("accepts %s", async (_name, body, params) => {
  const headers = { "content-type": "application/json" };
  const response = await client.request(sharpenPath, { method: "POST", headers, body });
  expect([response.status, ((await response.json()) as Job).params]).toEqual([202, params]);
});

/** Every parameter of every operation is in `wrong-parameters.test.ts`, without HTTP. */
describe.each(["image/sharpen", "document/html-to-pdf", "pipeline/archive"])("%s rejects", (id) => {
  const { example, params } = findOperation(id) ?? expect.fail("no such operation");
  const send = (fields: object) =>
    client.postJson(`/v1/${id}`, { input: "http://10.0.0.1/", ...example, ...fields });

  it("a wrong type for a parameter, and names the parameter", async () => {
    const [name = ""] = Object.keys(params.shape);
    for (const value of [null, {}, "x".repeat(300_000)]) {
      const message = await expectError(await send({ [name]: value }), "invalid_parameter");
      expect(message).toMatch(new RegExp(`^\`${name}\` must `));
    }
  });

  it("unknown parameters", async () => {
    for (const name of ["account_id", "toString", "<b>"]) {
      await expectError(await send({ [name]: "x" }), "invalid_parameter");
    }
  });
});

interface PathItem {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Every path of the service, with its placeholders filled in. */
async function readPaths(id = `job_${"0".repeat(24)}`): Promise<PathItem[]> {
  const response = await fetch(`${inject("service").url}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  return Object.entries(paths).map(([path, item]) => {
    const methods = Object.keys(item).filter((name) => /^(get|put|post|patch|delete)$/.test(name));
    return {
      path: path.replace("{index}", "0").replace(/\{\w+\}/g, id),
      methods: methods.map((name) => name.toUpperCase()),
    };
  });
}

it("every path rejects other methods and lists the allowed methods", async () => {
  const paths = await readPaths();
  expect(paths.length).toBeGreaterThan(operations.length);
  for (const { path, methods } of paths) {
    for (const method of ["GET", "PUT", "POST", "PATCH", "DELETE"]) {
      if (methods.includes(method)) continue;
      const response = await client.request(path, { method });
      await expectError(response, "method_not_allowed");
      expect(response.headers.get("allow")?.split(", ")).toEqual(
        expect.arrayContaining([...methods]),
      );
    }
    expect((await client.request(path, { method: "OPTIONS" })).status).toBe(204);
  }
});

it.each([
  "job_",
  `job_${"0".repeat(23)}`,
  `job_${"0".repeat(25)}`,
  `JOB_${"0".repeat(24)}`,
  `job_${"0".repeat(23)}%0A`,
  `job_${"0".repeat(24)}%00`,
  `job_${"%EF%BC%90".repeat(24)}`,
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..%5c..%5cetc",
  "'%20or%20''='",
  "__proto__",
  "null",
])("every path returns 404 for the id %s", async (id) => {
  const paths = (await readPaths(id)).filter(({ path }) => path.startsWith(`/v1/jobs/${id}`));
  expect(paths.length).toBeGreaterThan(3);
  for (const { path, methods } of paths) {
    for (const method of methods) {
      await expectError(await client.request(path, { method }), "not_found");
    }
  }
});
