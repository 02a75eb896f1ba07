import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import type { JobStep } from "#lib/jobs/view/steps.ts";
import { Client, createClient } from "#tests/service/http/client.ts";
import { fetchDocument, findFaults, listEndpoints } from "#tests/service/http/openapi.ts";
import { unknownReceiver, withClosedUrls } from "#tests/service/http/requests.ts";
import { createUpload, type Multipart, patch, tus } from "#tests/service/http/uploads.ts";

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
const signedUrl = () => done.outputs[0]?.url ?? "";

/** A job that runs until it is stopped: the host sends its input slowly and never ends. */
async function startEndlessJob(): Promise<Job> {
  const input = `${inject("host").url}/drip`;
  const response = await client.postJson("/v1/pipeline/file-inspect", { input });
  // These tests check the shape of the response.
  return (await response.json()) as Job;
}

/** The URL of what the first operation of a chain handed to the second. */
async function stepUrl(): Promise<string> {
  const types = ["document/html-to-pdf", "pipeline/file-inspect"];
  const operations = JSON.stringify(types.map((type) => ({ type })));
  const page = { bytes: "<h1>Hello</h1>", filename: "hello.html" };
  const form = { file: page, operations, keep_steps: "true" };
  const { id } = await client.finish(await client.postForm("/v1/jobs", form));
  const response = await client.request(`/v1/jobs/${id}/steps`);
  const { steps } = (await response.json()) as { steps: JobStep[] };
  return steps[0]?.output?.url ?? "";
}

async function sendUpload(): Promise<Response> {
  const created = await client.postJson("/v1/uploads", { filename: "a.txt", bytes: 2 });
  const { url } = (await created.json()) as { url: string };
  return fetch(url, { method: "PUT", body: "hi" });
}

const tusUpload = () => createUpload(client, { bytes: 4, method: "tus" });
const partsUpload = () => createUpload<Multipart>(client, { bytes: 4, method: "multipart" });

async function sendUploadPart(): Promise<Response> {
  const { parts } = await partsUpload();
  return fetch(parts[0]?.url ?? "", { method: "PUT", body: "abcd" });
}

async function completeUpload(): Promise<Response> {
  const { parts, complete_url } = await partsUpload();
  await fetch(parts[0]?.url ?? "", { method: "PUT", body: "abcd" });
  return fetch(complete_url, { method: "POST" });
}

async function redeemDeviceCode(): Promise<Response> {
  const created = await client.postJson("/v1/device/codes", { name: "a laptop" });
  const { device_code } = (await created.json()) as { device_code: string };
  return client.postJson("/v1/device/token", { device_code });
}

async function resendDelivery(): Promise<Response> {
  const tested = await client.postJson("/v1/webhooks/test", { url: unknownReceiver });
  const { id } = (await tested.json()) as { id: string };
  return post(`/v1/webhooks/deliveries/${id}/resend`);
}

async function retryJob(): Promise<Response> {
  const { id } = await startEndlessJob();
  await post(`/v1/jobs/${id}/cancel`);
  const retried = await post(`/v1/jobs/${id}/retry`);
  const retry = (await retried.clone().json()) as Job;
  await post(`/v1/jobs/${retry.id}/cancel`);
  return retried;
}

/** A request that succeeds, for every endpoint of the document without a JSON body. */
const requests: Record<string, () => Promise<Response>> = {
  listJobs: () => client.request("/v1/jobs?limit=1"),
  readJob: () => client.request(`/v1/jobs/${done.id}?wait=1`),
  watchJob: () => client.request(`/v1/jobs/${done.id}/events`),
  streamEvents: async () => firstChunk(await client.request("/v1/events")),
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
  readSignedOutput: () => fetch(signedUrl()),
  readSignedOutputHead: () => fetch(signedUrl(), head),
  listSteps: () => client.request(`/v1/jobs/${done.id}/steps`),
  readSignedStep: async () => fetch(await stepUrl()),
  readSignedStepHead: async () => fetch(await stepUrl(), head),
  readArchive: () => client.request(`/v1/jobs/${done.id}/archive`),
  sendUpload,
  readUpload: async () => client.request(`/v1/uploads/${(await partsUpload()).id}`),
  createTusUpload: () => {
    const headers = { ...tus, "upload-length": "4" };
    return client.request("/v1/uploads/tus", { method: "POST", headers });
  },
  readUploadOffset: async () => fetch((await tusUpload()).url, { ...head, headers: tus }),
  appendUpload: async () => patch((await tusUpload()).url, 0, "abcd"),
  terminateUpload: async () => fetch((await tusUpload()).url, { method: "DELETE", headers: tus }),
  sendUploadPart,
  completeUpload,
  abortUpload: async () => fetch((await partsUpload()).abort_url, { method: "DELETE" }),
  abortUploadByPost: async () => fetch((await partsUpload()).abort_url, { method: "POST" }),
  listConnections: () => client.request("/v1/connections"),
  readConnection: async () => client.request(await connectionPath()),
  changeConnection: async () => {
    const body = JSON.stringify({ name: "Archive" });
    const headers = { "content-type": "application/json" };
    return client.request(await connectionPath(), { method: "PATCH", headers, body });
  },
  deleteConnection: async () => client.request(await connectionPath(), { method: "DELETE" }),
  testConnection: async () => post(`${await connectionPath()}/test`),
  listFilesOfConnection,
  listImageKeys: () => client.request("/v1/images/keys"),
  deleteImageKey,
  listWebhookEndpoints: async () => {
    await endpointPath();
    return client.request("/v1/webhooks/endpoints");
  },
  readWebhookEndpoint: async () => client.request(await endpointPath()),
  changeWebhookEndpoint: async () => {
    const body = JSON.stringify({ enabled: false, events: ["job.*"] });
    const headers = { "content-type": "application/json" };
    return client.request(await endpointPath(), { method: "PATCH", headers, body });
  },
  deleteWebhookEndpoint: async () => client.request(await endpointPath(), { method: "DELETE" }),
  rotateWebhookEndpointSecret: async () => post(`${await endpointPath()}/rotate-secret`),
  testWebhookEndpoint: async () => post(`${await endpointPath()}/test`),
  listDeliveries: () => client.request("/v1/webhooks/deliveries"),
  resendDelivery,
  readUsage: () => client.request("/v1/usage"),
  readAccount: () => client.request("/v1/account"),
  revokeOwnKey: async () => (await createClient()).request("/v1/account/key", { method: "DELETE" }),
  redeemDeviceCode,
  listOperations: () => client.request("/v1/operations"),
  readDocument: () => client.request("/openapi.json"),
  readHealth: () => client.request("/healthz"),
  readReadiness: () => client.request("/readyz"),
};

async function connectionPath(url = "https://cloud.example.com/dav"): Promise<string> {
  const fields = { type: "webdav", name: "Files", url, username: "anna", password: "b" };
  const created = await client.postJson("/v1/connections", fields);
  return `/v1/connections/${((await created.json()) as { readonly id: string }).id}`;
}

/** An endpoint that no event of these tests is for. */
async function endpointPath(): Promise<string> {
  const created = await client.postJson("/v1/webhooks/endpoints", {
    url: unknownReceiver,
    events: ["batch.completed"],
  });
  return `/v1/webhooks/endpoints/${((await created.json()) as { readonly id: string }).id}`;
}

/** From a WebDAV server with one file. */
async function listFilesOfConnection(): Promise<Response> {
  const file =
    "<d:response><d:href>/a%20b.txt</d:href><d:propstat><d:prop><d:getcontentlength>3</d:getcontentlength></d:prop></d:propstat></d:response>";
  const list = `<d:multistatus xmlns:d="DAV:">${file}</d:multistatus>`;
  const server = createServer((_, response) => void response.writeHead(207).end(list));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const response = await client.request(
    `${await connectionPath(`http://127.0.0.1:${port}`)}/files`,
  );
  expect(await response.clone().json()).toMatchObject({ files: [{ path: "a b.txt", bytes: 3 }] });
  server.close();
  return response;
}

async function deleteImageKey(): Promise<Response> {
  const created = await client.postJson("/v1/images/keys", {});
  const { id } = (await created.json()) as { readonly id: string };
  return client.request(`/v1/images/keys/${id}`, { method: "DELETE" });
}

/** A response that ends after the first chunk of its body. */
async function firstChunk(response: Response): Promise<Response> {
  const reader = response.body?.getReader();
  const chunk = await reader?.read();
  await reader?.cancel();
  return new Response(chunk?.value, response);
}

it.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  "%s succeeds as documented",
  async (id, endpoint) => {
    const { example } = endpoint.requestBody?.content["application/json"] ?? {};
    const send = () => client.postJson(endpoint.path, withClosedUrls(example ?? {}));
    const response = await (
      requests[id] ?? (example ? send : expect.fail(`no request for ${id}`))
    )();
    expect(response.ok, `${response.status}`).toBe(true);
    expect(await findFaults(document, endpoint, response)).toEqual([]);
  },
);

it.each([
  [206, { range: "bytes=0-1" }],
  [416, { range: "bytes=99999-" }],
  [304, { "if-none-match": "*" }],
  [412, { "if-match": '"x"' }],
])("a download that returns %i matches the document", async (status, headers) => {
  const endpoint = endpoints.find((one) => one.operationId === "readOutput");
  const response = await client.request(`/v1/jobs/${done.id}/output`, { headers });
  expect(response.status).toBe(status);
  expect(endpoint && (await findFaults(document, endpoint, response))).toEqual([]);
});

it.each(["readDocument", "listOperations"])(
  "a known response of %s matches the document",
  async (id) => {
    const endpoint = endpoints.find((one) => one.operationId === id) ?? expect.fail();
    const response = await client.request(endpoint.path, { headers: { "if-none-match": "*" } });
    expect(response.status).toBe(304);
    expect(await findFaults(document, endpoint, response)).toEqual([]);
  },
);

const requestId = `req_${"0".repeat(24)}`;
const documentedHeaders = { "x-request-id": requestId, "x-content-type-options": "nosniff" };
const time = "2026-11-21T12:00:00Z";
const apiKey = { id: `key_${"0".repeat(24)}`, name: "test", created_at: time, expires_at: null };
const uploads = { direct: false, form_bytes: null };
const account = { email: "a@example.com", plan: "free", api_key: apiKey, uploads };

it.each([
  ["nothing for a correct response", account, 200, documentedHeaders, []],
  ["an undocumented status", account, 418, documentedHeaders, [/^status 418 is not documented/]],
  ["a missing header", account, 200, { "x-request-id": requestId }, [/options is missing$/i]],
  [
    "a malformed header",
    account,
    200,
    { ...documentedHeaders, "x-request-id": "1" },
    [/request-id is 1$/i],
  ],
  [
    "an undocumented header",
    account,
    200,
    { ...documentedHeaders, server: "x" },
    [/server is not documented$/],
  ],
  ["an undocumented field", { ...account, extra: 1 }, 200, documentedHeaders, [/extra/, /^\{/]],
  ["a field of the wrong type", { ...account, plan: 0 }, 200, documentedHeaders, [/plan/, /^\{/]],
])("findFaults reports %s", async (_name, body, status, headers, faults) => {
  const endpoint = endpoints.find((one) => one.operationId === "readAccount");
  const foundFaults =
    endpoint && (await findFaults(document, endpoint, Response.json(body, { status, headers })));
  expect(foundFaults).toEqual(faults.map((fault) => expect.stringMatching(fault)));
});

it("every request here is for a documented endpoint", () => {
  const ids = endpoints.map((endpoint) => endpoint.operationId);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(requests)));
});
