import { describe, expect, inject, it } from "vitest";
import type { AccessKind } from "#lib/api/definition/access.ts";
import type { Endpoint } from "#lib/api/definition/endpoint.ts";
import { endpoints } from "#lib/api/endpoints/index.ts";
import { expectError } from "#tests/support/expect-error.ts";

const { url } = inject("service");

/** The path of the endpoint, with ids that do not exist. */
const buildPath = ({ path }: Endpoint) =>
  path
    .replace("{group}/{operation}", "pipeline/file-inspect")
    .replace("{index}", "0")
    .replaceAll(/\{\w+\+?\}/g, `job_${"0".repeat(24)}`);

function listEndpoints(access: AccessKind) {
  return endpoints
    .filter((endpoint) => endpoint.access === access)
    .map((endpoint) => [endpoint.operationId, endpoint] as const);
}

const send = (endpoint: Endpoint, headers: Record<string, string> = {}, query = "") =>
  fetch(`${url}${buildPath(endpoint)}${query}`, { method: endpoint.method, headers });

describe("without an API key", () => {
  it.each(listEndpoints("apiKey"))("%s returns 401", async (_id, endpoint) => {
    const response = await send(endpoint);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    await expectError(response, "unauthorized");
  });
});

describe("without a session", () => {
  it.each(listEndpoints("session"))(
    "%s returns 401 to the pages of the service",
    async (_id, endpoint) => {
      await expectError(await send(endpoint, { origin: url }), "unauthorized");
    },
  );

  it.each(listEndpoints("session"))(
    "%s rejects requests from other sites",
    async (_id, endpoint) => {
      const response = await send(endpoint, { origin: "https://evil.example" });
      await expectError(response, endpoint.method === "GET" ? "unauthorized" : "forbidden");
    },
  );

  it.each(listEndpoints("session"))("%s does not accept an API key", async (_id, endpoint) => {
    const headers = { origin: url, "x-api-key": inject("service").apiKey };
    await expectError(await send(endpoint, headers), "unauthorized");
  });
});

describe("without a valid signature", () => {
  it.each(listEndpoints("signedLink"))("%s returns 403", async (_id, endpoint) => {
    const forged = `?expires=${"9".repeat(10)}&signature=${"0".repeat(64)}`;
    for (const query of ["", forged]) {
      const headers = { "x-api-key": inject("service").apiKey };
      const response = await send(endpoint, headers, query);
      // A response to HEAD has no body, but the same header.
      if (endpoint.method === "HEAD") {
        expect([response.status, response.headers.get("x-error-code")]).toEqual([403, "forbidden"]);
      } else await expectError(response, "forbidden");
    }
  });
});

it("there are endpoints of every access kind", () => {
  const kinds = ["apiKey", "session", "signedLink", "public"] as const;
  for (const kind of kinds) expect(listEndpoints(kind).length, kind).toBeGreaterThan(2);
});
