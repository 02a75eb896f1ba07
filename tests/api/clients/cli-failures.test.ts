import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client as McpClient } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, expect, inject, it } from "vitest";
import { startCuttingProxy } from "#tests/servers/cutting-proxy.ts";
import { Cli, linesOf } from "#tests/service/cli.ts";
import { type Client, createClient } from "#tests/service/http/client.ts";

/** The command line with a service and files that are not as they should be. */

const { url } = inject("service");
const photo = join(import.meta.dirname, "../../../public/samples/inputs/photo.jpg");
let account: Client;
let cli: Cli;
const servers: Server[] = [];

beforeAll(async () => {
  account = await createClient();
  cli = new Cli({ MEDIAMILL_API_KEY: account.key, MEDIAMILL_BASE_URL: url });
  copyFileSync(photo, at("photo.jpg"));
  // The list of operations, which further servers of this test do not have.
  await cli.run(["operations"]);
});

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

afterAll(() => cli.remove());

const at = (...names: string[]) => join(cli.folder, ...names);

async function jobsOf(mark: string): Promise<string[]> {
  const listed = await account.request(`/v1/jobs?metadata[test]=${mark}`);
  return ((await listed.json()) as { jobs: { id: string }[] }).jobs.map(({ id }) => id);
}

it("a connection that is cut before the answer to a create makes one job", async () => {
  const proxy = await startCuttingProxy(url);
  const args = ["image", "palette", "photo.jpg", "--metadata", "test=cli-cut", "--json"];
  const { code, stdout } = await cli.run([...args, "--base-url", proxy.url]);
  proxy.close();
  expect([code, proxy.cuts]).toEqual([0, 1]);
  expect(await jobsOf("cli-cut")).toEqual([JSON.parse(stdout).job]);
});

it("the same through its MCP server", async () => {
  const proxy = await startCuttingProxy(url);
  const client = new McpClient({ name: "test", version: "1.0.0" });
  const env = { ...cli.environment, MEDIAMILL_BASE_URL: proxy.url };
  const args = [cli.program, "mcp"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  const result = await client.callTool({
    name: "run_operation",
    arguments: {
      operation: "image/qr-code",
      params: { text: "a" },
      metadata: { test: "mcp-cut" },
    },
  });
  await client.close();
  proxy.close();
  expect(proxy.cuts).toBe(1);
  expect(await jobsOf("mcp-cut")).toEqual([(result.structuredContent as { id: string }).id]);
});

/** A server with the operations of the service, whose other answers are `answer`'s. */
async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const catalogue = await (await fetch(`${url}/v1/operations`)).text();
  const server = createServer((request, response) => {
    if (request.url === "/v1/operations") response.end(catalogue);
    else answer?.(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const code = ["image", "qr-code", "--text", "a", "--print-urls"];

it("waits as long as the service asks, and says when it does not wait any more", async () => {
  const times: number[] = [];
  const busy = await serve((_request, response) => {
    times.push(Date.now());
    if (times.length > 1)
      return response.end('{"id":"job_1","status":"completed","outputs":[],"warnings":[]}');
    response.writeHead(429, { "retry-after": "1" });
    return response.end('{"error":"Too many requests."}');
  });
  expect((await cli.run([...code, "--base-url", busy])).code).toBe(0);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  const full = await serve((_request, response) => {
    response.writeHead(429, { "retry-after": "900000", "x-error-code": "usage_limit_reached" });
    response.end('{"error":"The usage limit of your plan is reached."}');
  });
  const limited = await cli.run([...code, "--base-url", full]);
  expect(limited.code).toBe(7);
  expect(limited.stderr).toContain("usage limit of your plan");
});

it("reports a page in the place of an answer, and a download that is cut", async () => {
  const page = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>");
  });
  const wrong = await cli.run([...code, "--base-url", page]);
  expect(wrong.stderr).toContain("Check the base URL");
  const cut: string = await serve((request, response) => {
    if (request.url?.startsWith("/a.png")) {
      response.writeHead(200, { "content-length": "100" });
      return response.write("short", () => response.destroy());
    }
    const output = {
      filename: "a.png",
      url: `${cut}/a.png`,
      content_type: "image/png",
      bytes: 100,
    };
    const job = { id: "job_1", status: "completed", outputs: [output], warnings: [] };
    return response.end(JSON.stringify(job));
  });
  const args = ["image", "qr-code", "--text", "a", "-o", "cut/", "--base-url", cut];
  const lost = await cli.run(args);
  expect(lost).toMatchObject({ code: 6, stdout: "" });
  expect(lost.stderr).toContain("cut off");
  expect(readdirSync(at("cut"))).toEqual([]);
});

it("takes strange names of files, and reports folders that cannot be written", async () => {
  mkdirSync(at("in"));
  const names = ['it\'s "a" $HOME.jpg', "東京 🎬.jpg", "-r.jpg", "line\nbreak.jpg", "[a]{b}.jpg"];
  names.push(`${"x".repeat(240)}.jpg`);
  for (const name of names) copyFileSync(photo, at("in", name));
  const args = ["image", "resize", "-r", "in", "--width", "8", "--json"];
  const done = await cli.run([...args, "-o", "strange/"]);
  expect(done.code, done.stderr).toBe(0);
  expect(linesOf(done.stdout).map((line) => JSON.parse(line).status)).toEqual(
    names.map(() => "completed"),
  );
  expect(readdirSync(at("strange"))).toHaveLength(names.length);
  writeFileSync(at("a-file"), "");
  const blocked = await cli.run([
    "image",
    "resize",
    "photo.jpg",
    "--width",
    "8",
    "-o",
    "a-file/x/",
  ]);
  expect(blocked.code).toBe(2);
  expect(blocked.stderr).toContain("a-file");
  const empty = await cli.run(["image", "resize", "-", "--width", "8"]);
  expect(empty).toMatchObject({ code: 2, stderr: "Error: stdin: stdin is empty.\n" });
});
