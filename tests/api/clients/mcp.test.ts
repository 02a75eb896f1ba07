import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { createClient } from "#tests/service/http/client.ts";
import { expectError } from "#tests/support/expect-error.ts";

/**
 * Tests of `POST /mcp`, which is tried with the official client and with plain requests of the
 * protocol before.
 */

const photo = join(import.meta.dirname, "../../../public/samples/inputs/photo.jpg");
const endpoint = `${inject("service").url}/mcp`;
let key = "";
let client: Client;

beforeAll(async () => {
  ({ key } = await createClient());
  client = await connect("auto");
});

async function connect(mode: "auto" | "legacy"): Promise<Client> {
  const connected = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await connected.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit }));
  return connected;
}

afterAll(() => client.close());

interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { type: string; text?: string; uri?: string; data?: string }[];
}

async function call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
  return (await client.callTool({ name, arguments: args })) as unknown as ToolResult;
}

const textOf = ({ content }: ToolResult) => content[0]?.text ?? "";

it.each([
  ["auto", "2026-07-28"],
  ["legacy", "2025-11-25"],
] as const)("negotiates the version (%s)", async (mode, version) => {
  const connected = await connect(mode);
  expect(connected.getNegotiatedProtocolVersion()).toBe(version);
  const listed = await connected.callTool({ name: "list_jobs", arguments: {} });
  expect(listed.structuredContent).toMatchObject({ jobs: expect.any(Array) });
  await connected.close();
});

it("lists tools with titles, descriptions, flat schemas and hints", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    "cancel_job",
    "create_upload",
    "create_webhook_endpoint",
    "delete_webhook_endpoint",
    "get_job",
    "get_operation",
    "list_jobs",
    "list_operations",
    "list_webhook_endpoints",
    "run_chain",
    "run_operation",
    "test_webhook_endpoint",
  ]);
  for (const { title, description, annotations, inputSchema } of tools) {
    expect(title).toBeTruthy();
    expect(description).toMatch(/\.$/);
    expect(annotations?.readOnlyHint).toBeTypeOf("boolean");
    expect(inputSchema).toMatchObject({ type: "object" });
    expect(JSON.stringify(inputSchema)).not.toContain("$ref");
  }
});

it("leads from a search to the output of a chain over an uploaded file", async () => {
  const found = await call("list_operations", { group: "image", search: "resize" });
  const { operations } = found.structuredContent as { operations: { id: string }[] };
  expect(operations.map(({ id }) => id)).toContain("image/resize");
  const about = await call("get_operation", { id: "image/resize" });
  expect(about.structuredContent).toMatchObject({
    accepts: expect.arrayContaining(["image/jpeg"]),
    parameters: { properties: { width: { type: "integer" } } },
  });
  const bytes = await readFile(photo);
  const upload = await call("create_upload", { filename: "photo.jpg", bytes: bytes.length });
  const { id, url, command } = upload.structuredContent as Record<string, string>;
  expect(command).toContain(`curl -T 'photo.jpg' 'http`);
  // With a key, so that sending the request again creates no second upload.
  const keys = await withServiceDatabase(
    (sql) => sql`select key from idempotency_keys where body->>'id' = ${id ?? ""}`,
  );
  expect(keys).toHaveLength(1);
  expect((await fetch(url ?? "", { method: "PUT", body: bytes })).ok).toBe(true);
  const run = await call("run_chain", {
    input: id,
    operations: [
      { type: "image/resize", params: { width: 60 } },
      { type: "image/convert", params: { format: "png" } },
    ],
  });
  expect(run.structuredContent).toMatchObject({ status: "completed" });
  const link = run.content.find(({ type }) => type === "resource_link");
  const image = run.content.find(({ type }) => type === "image");
  const output = Buffer.from(await (await fetch(link?.uri ?? "")).arrayBuffer());
  expect(output.subarray(1, 4).toString()).toBe("PNG");
  expect(image?.data).toBe(output.toString("base64"));
});

describe("a mistake of the model", () => {
  it.each([
    ["image/resize", { width: "wide" }, /`width` must be an integer.*get_operation/s],
    ["image/resizes", {}, /no such operation/],
    ["image/qr-code", {}, /`text` is required/],
  ])("%s with %j is explained", async (operation, params, message) => {
    const input = operation === "image/qr-code" ? {} : { input: "https://example.com/a.jpg" };
    const result = await call("run_operation", { operation, ...input, params });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(message);
  });

  it("an unknown operation or job is explained", async () => {
    expect(textOf(await call("get_operation", { id: "image/none" }))).toContain("list_operations");
    const missing = await call("get_job", { id: `job_${"0".repeat(24)}` });
    expect([missing.isError, textOf(missing)]).toEqual([true, expect.stringContaining("no such")]);
  });

  it("a job that failed is an error with its reason", async () => {
    const input = "http://127.0.0.1:1/a.jpg";
    const result = await call("run_operation", { operation: "image/metadata", input });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ error_code: "address_refused" });
  });
});

it("shows the request and creates nothing in a dry run", async () => {
  const args = { operation: "image/qr-code", params: { text: "a" }, dry_run: true };
  const { structuredContent } = await call("run_operation", args);
  expect(structuredContent).toEqual({
    dry_run: true,
    method: "POST",
    path: "/v1/image/qr-code",
    body: { text: "a" },
  });
  const listed = await call("list_jobs", { operation: "image/qr-code" });
  expect(listed.structuredContent).toEqual({ jobs: [] });
});

it("returns a job that has not ended, which can be cancelled", async () => {
  const run = await call("run_operation", {
    operation: "image/metadata",
    input: `${inject("host").url}/hang/mcp`,
    wait_seconds: 0,
  });
  const { id, next } = run.structuredContent as { id: string; next: string };
  expect(next).toContain(id);
  expect((await call("cancel_job", { id })).structuredContent).toMatchObject({
    status: "cancelled",
  });
  const again = await call("cancel_job", { id });
  expect([again.isError, textOf(again)]).toEqual([true, expect.stringContaining("cancelled")]);
});

describe("the endpoint", () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(endpoint, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "old", version: "1" },
    },
  };

  it("speaks the version of the protocol before, without a session", async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const opened = await (await post(initialize, headers)).text();
    expect(opened).toContain('"protocolVersion":"2025-11-25"');
    expect(opened).toContain('"instructions":"Mediamill');
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
    const version = { ...headers, "MCP-Protocol-Version": "2025-11-25" };
    expect(await (await post(list, version)).text()).toContain('"name":"run_chain"');
  });

  it("says what is missing without a key", async () => {
    const response = await post(initialize);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await expectError(response, "unauthorized")).toContain("Authorization: Bearer");
    const wrong = await post(initialize, { Authorization: "Bearer mm_live_wrong" });
    await expectError(wrong, "unauthorized");
  });

  it("refuses pages of other sites", async () => {
    const headers = { Authorization: `Bearer ${key}`, Origin: "https://evil.example" };
    expect((await post(initialize, headers)).status).toBe(403);
  });

  it.each(["GET", "DELETE"])("has no sessions: %s", async (method) => {
    const response = await fetch(endpoint, { method, headers: { "X-API-Key": key } });
    expect(response.status).toBe(405);
  });
});

it("rejects a page of another site, and reads no body before the key is checked", async () => {
  const send = (headers: Record<string, string>, body: string) =>
    fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
  const foreign = { authorization: `Bearer ${key}`, origin: "https://example.com" };
  await expectError(await send(foreign, "{}"), "forbidden");
  const large = JSON.stringify({ text: "a".repeat(2 * 1024 ** 2) });
  await expectError(await send({}, large), "unauthorized");
  await expectError(await send({ authorization: `Bearer ${key}` }, large), "too_large");
});

it("a call never occupies the service for long", async () => {
  const words = await call("list_operations", { search: "zz ".repeat(300_000) });
  expect(words.isError).toBe(true);
  expect(textOf(words)).toContain("<=200 characters");
  const fields = `{${Array.from({ length: 20_001 }, (_, at) => `"a${at}":1`).join()}}`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(endpoint, { method: "POST", headers, body: fields });
  expect(await expectError(response, "invalid_request")).toContain("at most 20,000 fields");
});

it("webhook endpoints are made, tried, listed and deleted", async () => {
  const url = `${inject("host").url}/hook/mcp-${process.pid}/200`;
  const made = await call("create_webhook_endpoint", { url, events: ["upload.completed"] });
  expect(made.structuredContent).toMatchObject({ url, secret: expect.stringMatching(/^whsec_/) });
  const id = String(made.structuredContent?.id);
  const listed = await call("list_webhook_endpoints", {});
  expect(listed.structuredContent).toMatchObject({ endpoints: [{ id, enabled: true }] });
  const tried = await call("test_webhook_endpoint", { id });
  expect(tried.structuredContent).toMatchObject({ endpoint: id, type: "test" });
  const deleted = await call("delete_webhook_endpoint", { id });
  expect(deleted.structuredContent).toEqual({ deleted: id });
  const wrong = await call("create_webhook_endpoint", { url, events: ["job.done"] });
  expect(wrong.isError).toBe(true);
  expect(textOf(wrong)).toContain("`events");
});
