import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { Client as McpClient } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Cli, linesOf } from "#tests/service/cli.ts";
import { createClient, Client as ServiceClient } from "#tests/service/http/client.ts";

/** The command line against the running service. */

const inputs = join(import.meta.dirname, "../../../public/samples/inputs");
const { url } = inject("service");
let account: ServiceClient & { email: string };
let cli: Cli;

beforeAll(async () => {
  account = await createClient();
  cli = new Cli({ MEDIAMILL_API_KEY: account.key, MEDIAMILL_BASE_URL: url });
  copyFileSync(join(inputs, "photo.jpg"), join(cli.folder, "photo.jpg"));
});

afterAll(() => cli.remove());

const at = (...names: string[]) => join(cli.folder, ...names);

describe("running an operation", () => {
  it("saves the output, prints its path, and never replaces the input", async () => {
    const before = statSync(at("photo.jpg")).size;
    const named = await cli.run(["image", "resize", "photo.jpg", "--width", "80", "-o", "out/"]);
    expect(named).toMatchObject({ code: 0, stdout: "out/photo-resize.jpg\n" });
    const unnamed = await cli.run(["image", "resize", "photo.jpg", "--width", "80"]);
    expect(unnamed).toMatchObject({ code: 0, stdout: "photo-resize.jpg\n" });
    expect(statSync(at("photo.jpg")).size).toBe(before);
    expect(statSync(at("out/photo-resize.jpg")).size).toBeLessThan(before);
  });

  it("reads stdin and writes stdout", async () => {
    const child = cli.start(["image", "convert", "-", "--format", "png"]);
    child.stdin?.end(readFileSync(at("photo.jpg")));
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    expect(await once(child, "close")).toEqual([0, null]);
    expect(Buffer.concat(chunks).subarray(1, 4).toString()).toBe("PNG");
  });

  it("takes further files, several files, none, and prints data", async () => {
    const code = await cli.run(["image", "qr-code", "--text", "hello", "-o", "code.png"]);
    expect(code).toMatchObject({ code: 0, stdout: "code.png\n" });
    const marked = ["image", "watermark-image", "photo.jpg", "--watermark", "code.png"];
    expect((await cli.run([...marked, "-o", "marked.jpg"])).code).toBe(0);
    const both = ["image", "animated", "photo.jpg", "code.png", "-o", "both.gif"];
    expect((await cli.run(both)).stdout).toBe("both.gif\n");
    const data = await cli.run(["image", "read-codes", "code.png"]);
    expect(JSON.stringify(JSON.parse(data.stdout))).toContain("hello");
  });

  it("takes a secret from the environment or a file, and never prints it", async () => {
    writeFileSync(at("secret.txt"), "correct horse\n");
    copyFileSync(join(inputs, "contract.pdf"), at("document.pdf"));
    const args = ["document", "protect-pdf", "document.pdf", "-o", "locked.pdf"];
    const without = await cli.run(["document", "unlock-pdf", "document.pdf", "-o", "open.pdf"]);
    expect(without.stderr).toContain("--password-file");
    const variables = { MEDIAMILL_PARAM_PASSWORD: "correct horse" };
    const shown = await cli.run([...args, "--dry-run"], { variables });
    expect(shown.stdout).toContain('"password=$MEDIAMILL_PARAM_PASSWORD"');
    expect(shown.stdout + shown.stderr).not.toContain("correct horse");
    expect((await cli.run([...args, "--password-file", "secret.txt"])).code).toBe(0);
    expect(readFileSync(at("locked.pdf")).includes("/Encrypt")).toBe(true);
  });

  it("shows the curl command, which works, and creates nothing", async () => {
    const shown = await cli.run(["image", "palette", "photo.jpg", "--count", "3", "--dry-run"]);
    const env = { ...cli.environment };
    const printed = execFileSync("sh", ["-c", shown.stdout], { cwd: cli.folder, env });
    expect(JSON.parse(printed.toString())).toMatchObject({ status: "completed" });
  });
});

it.each([
  ["a wrong value", ["image", "resize", "photo.jpg", "--width", "0"], 2, "--width must be"],
  ["a missing file", ["image", "resize", "none.jpg"], 2, "none.jpg does not exist"],
  ["an unknown command", ["image", "resiez", "photo.jpg"], 2, "Did you mean resize"],
  ["an unknown flag", ["image", "resize", "photo.jpg", "--widht", "1"], 2, "Did you mean --width"],
  ["a wrong key", ["usage", "--api-key", "mm_live_x"], 3, "mediamill login"],
  ["a rejected request", ["image", "resize", "photo.jpg"], 4, "--width"],
  ["a failed job", ["image", "resize", "http://127.0.0.1:1/a.jpg", "--width", "1"], 5, "job_"],
  ["run without an operation", ["run", "resize", "photo.jpg"], 2, "resize is not an operation"],
  ["two outputs", ["run", "image/flip", ".", "--out", "a", "-o", "b"], 2, "Leave one out"],
  ["no service", ["operations", "--base-url", "http://127.0.0.1:1"], 6, "could not be reached"],
])("%s ends with its own exit code and says what to do", async (_name, args, code, message) => {
  const result = await cli.run(args);
  expect(result.stderr).toContain(message);
  expect(result).toMatchObject({ code, stdout: "" });
});

it("80 files, killed and run again with --stale-only: only what is missing is done", async () => {
  mkdirSync(at("many"));
  await cli.run(["image", "resize", "photo.jpg", "--width", "8", "-o", "small.jpg"]);
  const names = Array.from({ length: 80 }, (_, index) => `many/${index}.jpg`);
  for (const name of names) copyFileSync(at("small.jpg"), at(name));
  const own = ["--direction", "horizontal", "-c", "8", "--json"];
  const args = ["image", "flip", "many/*.jpg", "-o", "done/", ...own];
  const child = cli.start(args);
  const first: string[] = [];
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    first.push(JSON.parse(line).input);
    if (first.length === 20) child.kill("SIGKILL");
  }
  expect(first.length).toBeGreaterThanOrEqual(20);
  expect(first.length).toBeLessThan(60);
  const again = await cli.run([...args, "--stale-only"]);
  expect(again.code).toBe(0);
  const second = linesOf(again.stdout).map((line): string => JSON.parse(line).input);
  expect(second.filter((name) => first.includes(name))).toEqual([]);
  // A job whose output was being saved is not done.
  expect(second.length).toBeGreaterThanOrEqual(80 - first.length - 8);
  for (const name of names)
    expect(existsSync(at(`done/${basename(name, ".jpg")}-flip.jpg`)), name).toBe(true);
  const third = await cli.run([...args, "--stale-only"]);
  expect(third).toMatchObject({ code: 0, stdout: "" });
});

it("run takes a folder, writes another, and with --watch also what is added, each file once", async () => {
  mkdirSync(at("in/sub"), { recursive: true });
  const args = ["run", "image/flip", "in", "--out", "in/out", "--direction", "horizontal"];
  const child = cli.start([...args, "--watch", "--json"]);
  const lines: { input: string; status: string }[] = [];
  createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) =>
    lines.push(JSON.parse(line)),
  );
  const messages = createInterface({ input: child.stderr ?? process.stdin });
  for await (const line of messages) if (line.startsWith("Watching")) break;
  const small = await cli.run(["image", "resize", "photo.jpg", "--width", "8", "-o", "tiny.jpg"]);
  expect(small.code).toBe(0);
  writeFileSync(at("in/fake.jpg"), "text");
  await expect.poll(() => lines.length).toBe(1);
  copyFileSync(at("tiny.jpg"), at("in/sub/one.jpg"));
  await expect.poll(() => lines.length).toBe(2);
  copyFileSync(at("tiny.jpg"), at("in/two.jpg"));
  await expect.poll(() => lines.length).toBe(3);
  child.kill("SIGINT");
  await once(child, "close");
  expect(existsSync(at("in/out/two-flip.jpg"))).toBe(true);
  expect(existsSync(at("in/out/sub/one-flip.jpg"))).toBe(true);
  // Neither the rejected file nor an output is sent again.
  expect(lines.map(({ input, status }) => [input, status])).toEqual([
    ["in/fake.jpg", "failed"],
    ["in/sub/one.jpg", "completed"],
    ["in/two.jpg", "completed"],
  ]);
});

it("Ctrl-C ends at once, and with --cancel-on-exit cancels the job", async () => {
  for (const flags of [[], ["--cancel-on-exit"]]) {
    const key = `exit-${flags.length}`;
    const input = `${inject("host").url}/hang/cli`;
    const args = ["pipeline", "file-inspect", input, "--metadata", `test=${key}`, ...flags];
    const child = cli.start(args);
    const find = async () => {
      const listed = await account.request(`/v1/jobs?metadata[test]=${key}`);
      return ((await listed.json()) as { jobs: { status: string }[] }).jobs[0]?.status;
    };
    await expect.poll(find).toMatch(/pending|processing/);
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
    expect(await find()).toMatch(flags.length > 0 ? /cancelled/ : /pending|processing/);
  }
});

it("listen forwards 50 events across cut connections, each once and signed", async () => {
  const received = new Map<string, { id: string; type: string }[]>();
  let secret = "";
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { headers } = request;
      const body = Buffer.concat(chunks).toString();
      const event = new Webhook(secret).verify(body, headers as Record<string, string>);
      const { type, data } = event as { type: string; data: { id: string } };
      const id = String(headers["webhook-id"]);
      received.set(id, [...(received.get(id) ?? []), { id: data.id, type }]);
      response.end();
    });
  }).listen(0, "127.0.0.1");
  const sockets = new Set<Socket>();
  const target = new URL(url);
  const proxy = createTcpServer((socket) => {
    const service = connect(Number(target.port), target.hostname);
    for (const one of [socket, service]) one.on("error", () => {});
    socket.pipe(service).pipe(socket);
    sockets.add(socket);
  }).listen(0, "127.0.0.1");
  await Promise.all([once(receiver, "listening"), once(proxy, "listening")]);
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  const { key } = await createClient();
  const child = cli.start(
    ["listen", "--forward-to", `127.0.0.1:${portOf(receiver)}/hook`, "--json"],
    { MEDIAMILL_API_KEY: key, MEDIAMILL_BASE_URL: `http://127.0.0.1:${portOf(proxy)}` },
  );
  for await (const line of createInterface({ input: child.stderr ?? process.stdin })) {
    secret = /whsec_\S+/.exec(line)?.[0] ?? "";
    if (secret) break;
  }
  const sender = new ServiceClient(key);
  const created: string[] = [];
  for (let index = 0; index < 50; index++) {
    const response = await sender.postJson("/v1/image/qr-code", { text: `${index}` });
    created.push(((await response.json()) as { id: string }).id);
    if (index % 15 === 9) for (const socket of sockets) socket.destroy();
  }
  await expect.poll(() => received.size, { timeout: 30_000 }).toBe(50);
  child.kill("SIGINT");
  const events = [...received.values()].flat();
  expect(events.map(({ id }) => id).sort()).toEqual(created.sort());
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["job.completed"]));
  proxy.close();
  receiver.close();
});

it("trigger sends a signed sample event", async () => {
  const hook = `${inject("host").url}/hook/cli-${process.pid}/200`;
  const sent = await cli.run(["trigger", "job.failed", "--forward-to", hook]);
  expect(sent.code).toBe(0);
  const [request] = (await (await fetch(hook)).json()) as {
    headers: Record<string, string>;
    body: string;
  }[];
  const secret = /whsec_\S+/.exec(sent.stderr)?.[0] ?? "";
  const event = new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {});
  expect(event).toMatchObject({ type: "job.failed", data: { status: "failed" } });
});

it("endpoints are made, listed, tried, changed and deleted", async () => {
  const target = `${inject("host").url}/hook/cli-${process.pid}/200`;
  const events = ["--events", "upload.completed, key.*"];
  const made = await cli.run(["endpoints", "create", target, ...events, "--json"]);
  expect(made.code).toBe(0);
  const { id, secret } = JSON.parse(made.stdout);
  expect(secret).toMatch(/^whsec_/);
  const list = await cli.run(["endpoints"]);
  expect(list.stdout).toBe(`${id}  enabled  ${target}  upload.completed,key.*\n`);
  expect((await cli.run(["endpoints", "test", id])).stderr).toContain(target);
  const rotated = await cli.run(["endpoints", "rotate-secret", id]);
  expect(rotated.stdout).toMatch(/\nwhsec_\S+\n$/);
  expect(rotated.stdout).not.toContain(secret);
  const changed = await cli.run(["endpoints", "update", id, "--disable", "--events", "job.*"]);
  expect(changed.stdout).toBe(`${id}  disabled: owner  ${target}  job.*\n`);
  expect(await cli.run(["endpoints", "delete", id])).toMatchObject({ code: 0 });
  expect(await cli.run(["endpoints"])).toMatchObject({ code: 0, stdout: "" });
  expect(await cli.run(["endpoints", "delete", id])).toMatchObject({
    stderr: expect.stringContaining("No webhook endpoint with this id exists."),
  });
  const wrong = await cli.run(["endpoints", "update", "job_1", "--enable"]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("starts with we_") });
});

it("serves the MCP tools over stdio", async () => {
  const client = new McpClient({ name: "test", version: "1.0.0" });
  const { environment: env } = cli;
  const args = [cli.program, "mcp"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  expect((await client.listTools()).tools).toHaveLength(12);
  const params = { operation: "image/qr-code", params: { text: "hello" } };
  const result = await client.callTool({ name: "run_operation", arguments: params });
  expect(result.structuredContent).toMatchObject({ status: "completed" });
  await client.close();
});
