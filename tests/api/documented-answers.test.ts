import { beforeAll, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { Client } from "#tests/service/client.ts";
import { findFaults, listEndpoints, fetchDocument } from "#tests/service/openapi.ts";
import { withClosedUrls } from "#tests/service/requests.ts";

const document = await fetchDocument();
const endpoints = listEndpoints(document);
const client = new Client();
const file = { bytes: "%PDF-1.7 hardly", filename: "a b.bin" };
let done: Job;

beforeAll(async () => {
  done = await client.run("pipeline/file-inspect", file);
});

const post = (path: string) => client.request(path, { method: "POST" });
const head = { method: "HEAD" };
const signed = () => done.outputs[0]?.url ?? "";

/** A job that runs until it is stopped: its source drips. */
async function startEndlessJob(): Promise<Job> {
  const input = `${inject("host").url}/drip`;
  const response = await client.postJson("/v1/pipeline/file-inspect", { input });
  // The answer's form is what these tests check.
  return (await response.json()) as Job;
}

async function sendUpload(): Promise<Response> {
  const announced = await client.postJson("/v1/uploads", { filename: "a.txt", bytes: 2 });
  const { url } = (await announced.json()) as { url: string };
  return fetch(url, { method: "PUT", body: "hi" });
}

async function resendDelivery(): Promise<Response> {
  const tried = await client.postJson("/v1/webhooks/test", { url: "http://127.0.0.1:1/" });
  const { id } = (await tried.json()) as { id: string };
  return post(`/v1/webhooks/deliveries/${id}/resend`);
}

async function retryJob(): Promise<Response> {
  const { id } = await startEndlessJob();
  await post(`/v1/jobs/${id}/cancel`);
  const retried = await post(`/v1/jobs/${id}/retry`);
  const again = (await retried.clone().json()) as Job;
  await post(`/v1/jobs/${again.id}/cancel`);
  return retried;
}

/** A request that succeeds, for every operation of the document without a JSON body. */
const requests: Record<string, () => Promise<Response>> = {
  listJobs: () => client.request("/v1/jobs?limit=1"),
  readJob: () => client.request(`/v1/jobs/${done.id}?wait=1`),
  watchJob: () => client.request(`/v1/jobs/${done.id}/events`),
  cancelJob: async () => post(`/v1/jobs/${(await startEndlessJob()).id}/cancel`),
  retryJob,
  deleteJob: async () => {
    const { id } = await client.run("pipeline/file-inspect", file);
    return client.request(`/v1/jobs/${id}`, { method: "DELETE" });
  },
  readOutput: () => client.request(`/v1/jobs/${done.id}/output`),
  readOutputHead: () => client.request(`/v1/jobs/${done.id}/output`, head),
  readOutputAt: () => client.request(`/v1/jobs/${done.id}/outputs/0`),
  readOutputAtHead: () => client.request(`/v1/jobs/${done.id}/outputs/0`, head),
  readSignedOutput: () => fetch(signed()),
  readSignedOutputHead: () => fetch(signed(), head),
  readArchive: () => client.request(`/v1/jobs/${done.id}/archive`),
  sendUpload,
  listDeliveries: () => client.request("/v1/webhooks/deliveries"),
  resendDelivery,
  readUsage: () => client.request("/v1/usage"),
  listOperations: () => client.request("/v1/operations"),
  readDocument: () => client.request("/openapi.json"),
  readHealth: () => client.request("/healthz"),
  readReadiness: () => client.request("/readyz"),
};

it.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  "%s succeeds in the way that is described",
  async (id, endpoint) => {
    const { example } = endpoint.requestBody?.content["application/json"] ?? {};
    const send = example
      ? () => client.postJson(endpoint.path, withClosedUrls(example))
      : (requests[id] ?? expect.fail(`there is no request for ${id}`));
    const response = await send();
    expect(response.ok, `${response.status}`).toBe(true);
    expect(await findFaults(document, endpoint, response)).toEqual([]);
  },
);

it.each([
  [206, { range: "bytes=0-1" }],
  [416, { range: "bytes=99999-" }],
  [304, { "if-none-match": "*" }],
])("a download that answers %i does it in the way that is described", async (status, headers) => {
  const endpoint = endpoints.find((one) => one.operationId === "readOutput");
  const response = await client.request(`/v1/jobs/${done.id}/output`, { headers });
  expect(response.status).toBe(status);
  expect(endpoint && (await findFaults(document, endpoint, response))).toEqual([]);
});

const requestId = `req_${"0".repeat(24)}`;
const described = { "x-request-id": requestId, "x-content-type-options": "nosniff" };
const usage = { plan: "free", gb_used: 0, gb_included: 1, gb_remaining: 1, total_jobs: 0 };

it.each([
  ["nothing", usage, 200, described, []],
  ["the status", usage, 418, described, [/^status 418 is not documented/]],
  ["a missing header", usage, 200, { "x-request-id": requestId }, [/options is missing$/i]],
  ["a header's form", usage, 200, { ...described, "x-request-id": "1" }, [/request-id is 1$/i]],
  ["a header too many", usage, 200, { ...described, server: "x" }, [/server is not documented$/]],
  ["a field too many", { ...usage, extra: 1 }, 200, described, [/extra/, /^\{/]],
  ["a field's type", { ...usage, gb_used: "0" }, 200, described, [/gb_used/, /^\{/]],
])(
  "of an answer with all right but %s, that is found",
  async (_name, body, status, headers, faults) => {
    const endpoint = endpoints.find((one) => one.operationId === "readUsage");
    const found =
      endpoint && (await findFaults(document, endpoint, Response.json(body, { status, headers })));
    expect(found).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  },
);

it("no request here is for an operation that there is not", () => {
  const ids = endpoints.map((endpoint) => endpoint.operationId);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(requests)));
});
