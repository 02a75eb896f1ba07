import { get, type IncomingMessage } from "node:http";
import { describe, expect, inject, it } from "vitest";
import { generateApiKey } from "#lib/auth/api-keys.ts";
import { admin, Client, createClient } from "#tests/service/http/client.ts";

const paths = ["/v1/jobs", "/v1/usage", `/v1/jobs/job_${"0".repeat(24)}`];

describe("401", () => {
  it.each([
    ["no key", {}],
    ["an empty key", { "x-api-key": "" }],
    ["a key of another form", { "x-api-key": "sk_live_abc" }],
    ["a key with a wrong checksum", { "x-api-key": `${generateApiKey().slice(0, -1)}!` }],
    ["an unknown key", { "x-api-key": generateApiKey() }],
    ["an unknown key as bearer", { authorization: `Bearer ${generateApiKey()}` }],
  ])("returns the same response to %s on every path", async (_name, headers) => {
    for (const path of paths) {
      const response = await new Client().request(path, {
        headers: { "x-api-key": "", ...headers },
      });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(response.headers.get("x-error-code")).toBe("unauthorized");
      expect(await response.json()).toEqual({
        error: "A valid API key is required. Send it as `X-API-Key` or as `Authorization: Bearer`.",
      });
    }
  });

  it("is returned for a key in the query", async () => {
    const client = new Client();
    const response = await client.request(`/v1/jobs?api_key=${client.key}`, {
      headers: { "x-api-key": "" },
    });
    expect(response.status).toBe(401);
  });

  it("is returned for a revoked key from the next request on", async () => {
    const client = await createClient();
    expect((await client.request("/v1/usage")).status).toBe(200);
    const [first] = Object.values(
      await admin("key", "list", "--email", client.email),
    ) as unknown as {
      key_id: string;
    }[];
    await admin("key", "revoke", "--id", first?.key_id ?? "");
    expect((await client.request("/v1/usage")).status).toBe(401);
  });
});

describe("200", () => {
  it("is returned for a key in either header", async () => {
    const { key } = new Client();
    const byHeader = await new Client().request("/v1/usage");
    const byBearer = await new Client("").request("/v1/usage", {
      headers: { "x-api-key": "", authorization: `Bearer ${key}` },
    });
    expect([byHeader.status, byBearer.status]).toEqual([200, 200]);
  });
});

it("another account's job returns the same 404 as a job that does not exist", async () => {
  const owner = await createClient();
  const other = await createClient();
  const job = await owner.run("pipeline/file-inspect", { bytes: "hello", filename: "a.txt" });
  for (const path of ["", "/output", "/outputs/0"]) {
    const foreign = await other.request(`/v1/jobs/${job.id}${path}`);
    const missing = await other.request(`/v1/jobs/job_${"0".repeat(24)}${path}`);
    expect(foreign.status).toBe(404);
    expect(await foreign.text()).toBe(await missing.text());
  }
});

/** Sends a key from another address of this machine, whose limit is not that of other tests. */
async function sendFromElsewhere(key: string): Promise<IncomingMessage> {
  const headers = { "x-api-key": key };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { headers, localAddress: "127.0.0.77", agent: false };
  get(`${inject("service").url}/v1/usage`, options, resolve).on("error", reject);
  const response = await promise;
  response.resume();
  return response;
}

describe("429", () => {
  it("is returned for many unknown keys from one network, where valid keys go on to work", async () => {
    const { key } = await createClient();
    const statuses = new Map<number | undefined, number>();
    let waitSeconds: string | undefined;
    for (let count = 0; count < 100; count++) {
      const { statusCode, headers } = await sendFromElsewhere(generateApiKey());
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      if (statusCode === 429) waitSeconds = headers["retry-after"];
    }
    expect([...statuses.keys()]).toEqual([401, 429]);
    expect(statuses.get(401)).toBeGreaterThanOrEqual(60);
    expect(Number(waitSeconds)).toBeGreaterThan(0);
    expect((await sendFromElsewhere(key)).statusCode).toBe(200);
    // A key of another form costs no query.
    expect((await sendFromElsewhere("nothing")).statusCode).toBe(401);
    expect((await new Client(generateApiKey()).request("/v1/usage")).status).toBe(401);
  });
});
