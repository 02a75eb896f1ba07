import fc from "fast-check";
import { beforeAll, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { Client, createClient } from "#tests/service/http/client.ts";
import {
  type Endpoint,
  fetchDocument,
  findFaults,
  listEndpoints,
  type OpenApi,
  validator,
} from "#tests/service/http/openapi.ts";
import { arbitraryCall, type Call, type KnownValues } from "#tests/service/http/requests.ts";

const client = new Client();
let document: OpenApi;
let endpoints: Endpoint[];
let known: KnownValues;

/** The path and query of a signed URL. */
const readTarget = (url = "") => url.slice(new URL(url).origin.length);

beforeAll(async () => {
  document = await fetchDocument();
  // The key belongs to all tests, so it must stay.
  endpoints = listEndpoints(document).filter(({ operationId }) => operationId !== "revokeOwnKey");
  const file = { bytes: "%PDF-1.7 hardly", filename: "a b.pdf" };
  const completed = await client.run("pipeline/file-inspect", file);
  const failed = await client.runUrl("pipeline/file-inspect", "http://127.0.0.1:1/");
  expect([completed.status, failed.status]).toEqual(["completed", "failed"]);
  const other = await createClient("free");
  const foreign = await other.runUrl("pipeline/file-inspect", "http://127.0.0.1:1/");
  const created = await client.postJson("/v1/uploads", { filename: "a", bytes: 6 });
  const { url } = (await created.json()) as { url: string };
  const jobs = [completed, failed, foreign].map((job: Job) => job.id);
  known = {
    values: { id: jobs, job: jobs, index: ["0", "1"], name: ["a"] },
    targets: {
      "/files/{job}/{index}/{name}": [readTarget(completed.outputs[0]?.url)],
      "/uploads/{id}": [readTarget(url)],
    },
    keys: [client.key, other.key],
  };
});

/** Sends a request, and returns how the response differs from the document. */
async function checkCall({ endpoint, target, headers, body, json }: Call): Promise<string[]> {
  const response = await fetch(`${inject("service").url}${target}`, {
    method: endpoint.method.toUpperCase(),
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
  const faults = await findFaults(document, endpoint, response);
  if (response.status >= 500) faults.push(`the service failed with ${response.status}`);
  const { schema } = endpoint.requestBody?.content["application/json"] ?? {};
  if (json !== undefined && schema && response.ok) {
    const sent: unknown = JSON.parse(JSON.stringify(json));
    const isAllowed = validator(document, schema).safeParse(sent).success;
    if (!isAllowed) faults.push("the service accepted a body that the document forbids");
  }
  return faults;
}

it("every response to a random request matches the document and is not a server error", async () => {
  const anyCall = fc.constantFrom(...endpoints).chain((endpoint) => arbitraryCall(endpoint, known));
  const property = fc.asyncProperty(anyCall, async (call) => {
    expect(await checkCall(call)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 300, interruptAfterTimeLimit: 40_000 });
});
