import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { INodeExecutionData } from "n8n-workflow";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  binaryOf,
  callTrigger,
  contentOf,
  executeNode,
  type LoadedNodes,
  loadNodes,
} from "#tests/clients/n8n-host.ts";
import { startCuttingProxy } from "#tests/servers/cutting-proxy.ts";
import type { ReceivedWebhook } from "#tests/servers/webhook-receiver.ts";
import { Client } from "#tests/service/http/client.ts";

/** The built n8n node against the running service. */

const { url: baseUrl, apiKey } = inject("service");
const sample = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../../public/samples/inputs", name));
const photo = sample("photo.jpg");
const folder = mkdtempSync(join(tmpdir(), "mediamill-n8n-"));
let loaded: LoadedNodes;

beforeAll(async () => {
  loaded = await loadNodes(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const item = (content: Buffer, name: string, isStored = false): INodeExecutionData => ({
  json: {},
  binary: { data: binaryOf(content, name, isStored) },
});

interface ExecutionOptions {
  readonly continueOnFail?: boolean;
  /** The URL of the service. */
  readonly url?: string;
  readonly signal?: AbortSignal;
}

function execute(
  parameters: Record<string, unknown>,
  items: INodeExecutionData[] = [{ json: {} }],
  { continueOnFail = false, url = baseUrl, signal }: ExecutionOptions = {},
) {
  const { nodes, credential } = loaded;
  const { Mediamill: node } = nodes;
  if (!node) throw new Error("the package has no node");
  const credentials = { apiKey, baseUrl: `${url}/` };
  const options = { continueOnFail, ...(signal ? { signal } : {}) };
  return executeNode({ node, credential, credentials, parameters, items, ...options });
}

const resize = { resource: "image", operation: "resize", options: { width: 40 } };

describe("an image", () => {
  it.each([
    ["in the item", false],
    ["in the store of binary data", true],
  ])("%s is resized", async (_name, isStored) => {
    const [result] = await execute(resize, [item(photo, "my photo.jpg", isStored)]);
    expect(result?.json).toMatchObject({ status: "completed", params: { width: 40 } });
    const binary = result?.binary?.data;
    expect(binary).toMatchObject({ fileName: "my photo-resize.jpg", mimeType: "image/jpeg" });
    expect(contentOf(binary).subarray(0, 2).toString("hex")).toBe("ffd8");
    expect(result?.pairedItem).toEqual({ item: 0 });
  });

  it("at a URL is processed, and its output not downloaded", async () => {
    const { url, folder: files } = inject("host");
    writeFileSync(join(files, "n8n.jpg"), photo);
    const parameters = { ...resize, input: "url", url: `${url}/n8n.jpg`, download: false };
    const [result] = await execute(parameters);
    expect(result?.json).toMatchObject({ outputs: [{ width: 40 }] });
    expect(result?.binary).toBeUndefined();
  });

  it("is made of nothing, or of a further file", async () => {
    const [code] = await execute({ resource: "image", operation: "qr-code", text: "a" });
    expect(code?.binary?.data?.mimeType).toBe("image/png");
    const marked = { resource: "image", operation: "watermark-image", watermark: "logo" };
    const binary = { data: binaryOf(photo, "a.jpg"), logo: binaryOf(sample("logo.png"), "b.png") };
    const [result] = await execute(marked, [{ json: {}, binary }]);
    expect(result?.json.status).toBe("completed");
  });
});

it("all items are the inputs of one job", async () => {
  const parameters = { resource: "image", operation: "animated", severalOutputs: "items" };
  const items = [item(photo, "a.jpg"), item(photo, "b.jpg")];
  const results = await execute(parameters, items);
  expect(results).toHaveLength(1);
  expect(results[0]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
  const [{ binary = {} } = {}] = items;
  const one = { json: {}, binary: { ...binary, second: binaryOf(photo, "b.jpg") } };
  const fields = { ...parameters, input: "binary", binaryField: "*" };
  expect((await execute(fields, [one]))[0]?.json.status).toBe("completed");
});

it.each([
  ["an item for each file", {}, [["page"], ["page"]]],
  ["one item for all files", { severalOutputs: "fields" }, [["page", "page_1"]]],
])("several outputs: %s", async (_name, more, expected) => {
  const split = {
    resource: "image",
    operation: "frames",
    settings: { outputField: "page", ...more },
  };
  const animation = await execute({ resource: "image", operation: "animated" }, [
    item(sample("orange-1.webp"), "a.webp"),
    item(sample("orange-2.webp"), "b.webp"),
  ]);
  const results = await execute(split, animation);
  expect(results.map(({ binary }) => Object.keys(binary ?? {}))).toEqual(expected);
});

it("a chain is one job", async () => {
  const operations = JSON.stringify([
    { type: "image/resize", params: { width: 20 } },
    { type: "image/convert", params: { format: "png" } },
  ]);
  const chain = { resource: "chain", operation: "run", operations };
  const [result] = await execute(chain, [item(photo, "a.jpg")]);
  expect(result?.binary?.data).toMatchObject({ fileName: "a.png", mimeType: "image/png" });
});

describe("errors", () => {
  const bad = { ...resize, input: "url", url: "http://127.0.0.1:1/" };

  it("stop the workflow with the message of the service", async () => {
    await expect(execute(bad)).rejects.toMatchObject({
      name: "NodeOperationError",
      description: expect.stringMatching(/^Job job_\w+\. Code: address_refused\.$/),
      context: { itemIndex: 0 },
    });
    const wrong = { ...resize, options: { width: -1 } };
    await expect(execute(wrong, [item(photo, "a.jpg")])).rejects.toMatchObject({
      message: expect.stringContaining("`width` must be"),
      description: "Code: invalid_parameter",
    });
    await expect(execute({ ...resize, binaryField: "no" })).rejects.toThrow("'no'");
  });

  it("become items if the node continues on fail", async () => {
    const items = [item(photo, "a.jpg"), { json: {} }];
    const results = await execute(resize, items, { continueOnFail: true });
    expect(results.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
    expect(results[0]?.json.status).toBe("completed");
    expect(results[1]?.json.error).toContain("'data'");
  });
});

describe("a service that is not there for a while", () => {
  const code = { resource: "image", operation: "qr-code", text: "a" };
  const marked = (mark: string) => ({ ...code, settings: { metadata: `{"test":"${mark}"}` } });

  it("a connection that is cut before the answer to a create makes one job", async () => {
    const proxy = await startCuttingProxy(baseUrl);
    const [result] = await execute(marked("n8n-cut"), undefined, { url: proxy.url });
    proxy.close();
    expect(proxy.cuts).toBe(1);
    const listed = await new Client().request("/v1/jobs?metadata[test]=n8n-cut");
    const { jobs } = (await listed.json()) as { jobs: { id: string }[] };
    expect(jobs.map(({ id }) => id)).toEqual([result?.json.id]);
  });

  it("is asked again after the time that it names, with the same key", async () => {
    const keys: unknown[] = [];
    const times: number[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers["idempotency-key"]);
      times.push(Date.now());
      const isBusy = keys.length === 1;
      const headers = {
        "content-type": "application/json",
        ...(isBusy ? { "retry-after": "1" } : {}),
      };
      response.writeHead(isBusy ? 429 : 200, headers);
      response.end(JSON.stringify({ id: "job_1", status: "completed", outputs: [] }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await execute(code, undefined, { url: `http://127.0.0.1:${port}` });
    server.close();
    expect(new Set(keys).size).toBe(1);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("is read without `wait` if the account has too many long polls, however often", async () => {
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      const isRefused = request.url?.includes("wait=");
      const headers = { "content-type": "application/json", "retry-after": "0" };
      response.writeHead(isRefused ? 429 : 200, headers);
      const status = paths.length < 8 ? "processing" : "completed";
      response.end(JSON.stringify({ id: "job_1", status, outputs: [] }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const [result] = await execute(code, undefined, { url: `http://127.0.0.1:${port}` });
    server.close();
    expect(result?.json.status).toBe("completed");
    const polls = ["/v1/jobs/job_1?wait=60", "/v1/jobs/job_1"];
    expect(paths.slice(1)).toEqual([...polls, ...polls, ...polls, ...polls]);
  });

  it("is explained if its host refuses the upload of a file", async () => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        if (request.method === "PUT") return response.writeHead(413).end("Too Large");
        const upload = { id: "upload_1", url: `${url}/uploads/1`, method: "PUT", headers: {} };
        response.writeHead(201, { "content-type": "application/json" });
        return response.end(JSON.stringify(upload));
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(execute(resize, [item(photo, "a.jpg")], { url })).rejects.toThrow(
      /^This host does not accept a request so large, .* Send the URL of the file\.$/,
    );
    server.close();
  });

  it("is named if it cannot be reached", async () => {
    const get = { resource: "job", operation: "cancel", jobId: "job_1" };
    await expect(execute(get, undefined, { url: "http://127.0.0.1:1" })).rejects.toThrow(
      "could not be reached. Check the base URL",
    );
  });

  it("gets the retry of a job again with the same key after a lost connection", async () => {
    const keys: unknown[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers["idempotency-key"]);
      if (keys.length === 1) return response.destroy();
      response.writeHead(202, { "content-type": "application/json" });
      return response.end(JSON.stringify({ id: "job_2", status: "pending", outputs: [] }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const retry = { resource: "job", operation: "retry", jobId: "job_1" };
    const [result] = await execute(retry, undefined, { url: `http://127.0.0.1:${port}` });
    server.close();
    expect(result?.json.id).toBe("job_2");
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it("ends the wait when the execution is stopped", async () => {
    const controller = new AbortController();
    const parameters = { resource: "pipeline", operation: "file-inspect", input: "url" };
    const url = `${inject("host").url}/hang/n8n`;
    const settings = { metadata: '{"test":"n8n-stop"}' };
    const running = execute({ ...parameters, url, settings }, undefined, {
      signal: controller.signal,
    });
    // Before anything else can fail: a rejection that no one awaits ends the whole run.
    const stopped = expect(running).rejects.toThrow("was stopped");
    const find = async () => {
      const listed = await new Client().request("/v1/jobs?metadata[test]=n8n-stop");
      return ((await listed.json()) as { jobs: { id: string }[] }).jobs[0]?.id;
    };
    await expect.poll(find, { timeout: 20_000 }).toMatch(/^job_/);
    controller.abort();
    await stopped;
    await new Client().request(`/v1/jobs/${await find()}/cancel`, { method: "POST" });
  });
});

it("creates a job for a webhook, reads it later, and lists it", async () => {
  const hook = `${inject("host").url}/hook/n8n-${process.pid}/200`;
  const parameters = { ...resize, continueWhen: "webhook", webhookUrl: hook };
  const [created] = await execute(parameters, [item(photo, "a.jpg")]);
  const jobId = created?.json.id;
  const [read] = await execute({ resource: "job", operation: "get", jobId });
  expect(read?.json.status).toBe("completed");
  expect(read?.binary?.data?.mimeType).toBe("image/jpeg");
  const received = async () => (await (await fetch(hook)).json()) as { body: string }[];
  await expect.poll(async () => (await received()).length).toBe(1);
  expect((await received())[0]?.body).toContain(jobId);
  const filters = { operation: "image/resize" };
  const listed = await execute({ resource: "job", operation: "getAll", filters, limit: 5 });
  expect(listed.map(({ json }) => json.id)).toContain(jobId);
  await execute({ resource: "job", operation: "delete", jobId });
  const deleted = await new Client().request(`/v1/jobs/${jobId}`);
  expect(((await deleted.json()) as { outputs: unknown[] }).outputs).toEqual([]);
  const [usage] = await execute({ resource: "account", operation: "usage" });
  expect(usage?.json.total_jobs).toBeGreaterThan(0);
});

describe("the trigger", () => {
  const target = () => `${inject("host").url}/hook/n8n-${process.pid}-${Date.now()}/200`;
  const execution = (parameters: Record<string, unknown> = {}) => {
    const { nodes, credential } = loaded;
    const { MediamillTrigger: node } = nodes;
    if (!node) throw new Error("the package has no trigger");
    return { node, credential, credentials: { apiKey, baseUrl }, parameters, items: [] };
  };
  const client = new Client();
  const list = async () => {
    const response = await client.request("/v1/webhooks/endpoints");
    return ((await response.json()) as { data: { id: string; url: string; events: string[] }[] })
      .data;
  };

  it("subscribes to the events that were chosen, and unsubscribes", async () => {
    const hook = { url: target(), data: {} as Record<string, unknown> };
    const trigger = execution({ accountEvents: ["job.completed", "upload.completed"] });
    expect(await callTrigger(trigger, "checkExists", hook)).toBe(false);
    expect(await callTrigger(trigger, "create", hook)).toBe(true);
    expect(hook.data.secret).toMatch(/^whsec_/);
    const own = (await list()).find(({ id }) => id === hook.data.endpointId);
    expect(own).toMatchObject({ url: hook.url, events: ["job.completed", "upload.completed"] });
    expect(await callTrigger(trigger, "checkExists", hook)).toBe(true);

    const { id } = await client.run("pipeline/file-inspect", { bytes: "hello", filename: "a.txt" });
    const received = async () => (await (await fetch(hook.url)).json()) as ReceivedWebhook[];
    // Other tests have jobs of the same account.
    const findOwn = async () => (await received()).find(({ body }) => body.includes(id));
    await expect.poll(findOwn, { timeout: 20_000 }).toBeDefined();
    const webhook = await findOwn();
    const answers: unknown[] = [];
    const context = {
      getCredentials: async () => ({ webhookSecret: "" }),
      getRequestObject: () => ({ rawBody: Buffer.from(webhook?.body ?? "") }),
      getHeaderData: () => webhook?.headers,
      getBodyData: () => JSON.parse(webhook?.body ?? ""),
      getNodeParameter: () => "account",
      getWorkflowStaticData: () => hook.data,
      getResponseObject: () => ({ status: (code: number) => ({ json: () => answers.push(code) }) }),
    };
    const started = await trigger.node.webhook?.call(context as never);
    expect(started?.workflowData?.[0]?.[0]?.json).toMatchObject({ type: "job.completed" });
    const forged = { ...context, getWorkflowStaticData: () => ({ secret: "whsec_AAAA" }) };
    expect(await trigger.node.webhook?.call(forged as never)).toEqual({
      noWebhookResponse: true,
    });
    expect(answers).toEqual([401]);

    // Other events need another endpoint.
    const other = execution({ accountEvents: ["job.failed"] });
    expect(await callTrigger(other, "checkExists", hook)).toBe(false);
    expect(hook.data).toEqual({});
    expect(await callTrigger(other, "create", hook)).toBe(true);
    expect(await callTrigger(other, "delete", hook)).toBe(true);
    expect(hook.data).toEqual({});
    expect((await list()).filter(({ url }) => url === hook.url)).toEqual([]);
    expect(await callTrigger(other, "delete", hook)).toBe(true);
  });

  it("says why it cannot subscribe", async () => {
    const hook = { url: "http://10.0.0.1/hook", data: {} };
    await expect(callTrigger(execution(), "create", hook)).rejects.toThrow(
      "`url` must have a public host",
    );
  });
});
