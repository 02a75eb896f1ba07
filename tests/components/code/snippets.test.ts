import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestSnippets, type SnippetRequest } from "#components/code/snippets.ts";
import { installClients, runLanguages, runSnippets } from "#tests/support/run-snippet.ts";

/** A server that answers as the service does, and keeps what the snippets send. */
let server: Server;
let folder = "";
let url = "";
type Language = (typeof runLanguages)[number];

/** A request for a job: its path, and its fields in order with files as their contents. */
interface Sent {
  readonly path: string;
  readonly fields: readonly (readonly [string, unknown])[];
}

/** A snippet that was run: what it sent and what it printed. */
interface Run {
  readonly sent: Sent | undefined;
  readonly printed: string;
}

let sent: Sent[] = [];

const names = ["one.txt", `it's "two", 2.txt`, "three.txt"] as const;
const remote = "https://example.com/a.png?x=1&y=2";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-snippets-"));
  await installClients(folder);
  for (const name of names) await writeFile(join(folder, name), `content of ${name}`);
  server = createServer(async (request, response) => {
    sent.push(await read(request, await buffer(request)));
    const outputs = [{ url: `${url}/output`, filename: "output.png" }];
    const job = { id: "job_1", status: "completed", outputs };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(job));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The address of a listening TCP server.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function read({ url: path = "", headers }: IncomingMessage, body: Buffer) {
  const type = headers["content-type"] ?? "";
  const isForm = type.startsWith("multipart/");
  return { path, fields: isForm ? await readForm(type, body) : readJson(body) };
}

async function readForm(type: string, body: Buffer) {
  const form = await new Response(new Uint8Array(body), {
    headers: { "Content-Type": type },
  }).formData();
  const readField = async ([name, value]: [string, FormDataEntryValue]) =>
    [name, typeof value === "string" ? value : await value.text()] as const;
  return Promise.all([...form].map(readField));
}

const readJson = (body: Buffer) => Object.entries<unknown>(JSON.parse(body.toString()));

type Request = Omit<SnippetRequest, "baseUrl">;

const requests: Request[] = [];
const runsIn = new Map<Language, Promise<Run[]>>();

/**
 * What the snippet of `request` sends, by language. Expects that it prints the URL of its output. The first call runs the
 * snippets of all requests.
 */
function whatIsSent(request: Request): (language: Language) => Promise<Sent> {
  const index = requests.push(request) - 1;
  return async (language) => {
    const running = runsIn.get(language) ?? runAll(language);
    runsIn.set(language, running);
    running.catch(() => runsIn.delete(language));
    const { sent: one, printed } = (await running)[index] ?? {};
    expect(printed).toContain(`${url}/output`);
    if (!one) throw new Error("not sent");
    return one;
  };
}

async function runAll(language: Language): Promise<Run[]> {
  sent = [];
  const snippets = requests.map((request) => requestSnippets({ ...request, baseUrl: url }));
  const printed = await runSnippets(language, snippets, { folder, apiKey: "key" });
  expect([sent.length, printed.length]).toEqual([requests.length, requests.length]);
  return printed.map((text, index) => ({ sent: sent[index], printed: text }));
}

const [one, two, three] = names.map((name) => `content of ${name}`);

describe("an operation with several files", () => {
  const request = {
    operation: "image/animated",
    params: { delay: 80 },
    inputs: [{ file: names[2] }, { url: remote }, { file: names[0] }, { file: names[1] }],
  };

  const asForm = whatIsSent(request);

  it.each(runLanguages)("%s sends them in order as a form", async (language) => {
    const { path, fields } = await asForm(language);
    expect(path).toBe("/v1/image/animated");
    expect(fields).toContainEqual(["delay", "80"]);
    expect(fields.filter(([name]) => name !== "delay")).toEqual([
      ["file", three],
      ["input", remote],
      ["file", one],
      ["file", two],
    ]);
  });

  const urls = [{ url: remote }, { url: "https://example.com/b.png" }];
  const asList = whatIsSent({ ...request, inputs: urls });

  it.each(runLanguages)("%s sends URLs as a list", async (language) => {
    expect((await asList(language)).fields).toEqual([
      ["inputs", [remote, "https://example.com/b.png"]],
      ["delay", 80],
    ]);
  });
});

describe("an operation with a further file", () => {
  const request = { operation: "video/overlay-image", params: {} };

  const content = { image: { file: names[1] } };
  const withContent = whatIsSent({ ...request, input: { url: remote }, files: content });

  it.each(runLanguages)("%s sends its content next to a URL", async (language) => {
    const { fields } = await withContent(language);
    expect(Object.fromEntries(fields)).toEqual({ input: remote, image: two });
  });

  const location = { image: { url: remote } };
  const withUrl = whatIsSent({ ...request, input: { file: names[0] }, files: location });

  it.each(runLanguages)("%s sends its URL next to a file", async (language) => {
    const { fields } = await withUrl(language);
    expect(Object.fromEntries(fields)).toEqual({ file: one, image_url: remote });
  });
});

const code = { text: "https://example.com/?a=1&b='2'", size: 300 };
const withoutFile = whatIsSent({ operation: "image/qr-code", params: code });

it.each(runLanguages)("%s sends no file to an operation that takes none", async (language) => {
  const { path, fields } = await withoutFile(language);
  expect(path).toBe("/v1/image/qr-code");
  expect(fields).toEqual(Object.entries(code));
});

const keyword = { operation: "audio/fade", params: { in: 2 }, input: { url: remote } };
const withKeyword = whatIsSent(keyword);

it.each(runLanguages)("%s sends a parameter that is a keyword", async (language) => {
  expect((await withKeyword(language)).fields).toEqual([
    ["input", remote],
    ["in", 2],
  ]);
});

const operations = [
  { type: "image/sharpen", params: { sigma: 2 } },
  { type: "image/watermark-text", params: { text: 'it\'s "one"', opacity: 1 } },
  { type: "image/flip", params: {} },
];
const chain = whatIsSent({
  operation: "chain",
  params: { operations, metadata: { order: "7" } },
  input: { url: remote },
});

it.each(runLanguages)("%s sends a chain", async (language) => {
  const { path, fields } = await chain(language);
  expect(path).toBe("/v1/jobs");
  expect(Object.fromEntries(fields)).toEqual({
    input: remote,
    operations,
    metadata: { order: "7" },
  });
});

const output = { connection: `conn_${"a".repeat(24)}`, path: "out/{stem}.{ext}", overwrite: true };
const stored = { width: 80, output, keep: true };
const withTarget = whatIsSent({
  operation: "image/resize",
  params: stored,
  input: { url: remote },
});

it.each(runLanguages)("%s sends a target for the outputs", async (language) => {
  const { fields } = await withTarget(language);
  expect(Object.fromEntries(fields)).toEqual({ input: remote, ...stored });
});

it("the code of each client starts with the command that installs it from this service", () => {
  const request = { operation: "image/watermark-image", params: {}, input: { file: "a.png" } };
  const files = { watermark: { file: "b.png" } };
  const snippets = requestSnippets({ ...request, files, baseUrl: url });
  const firstLines = [snippets.typescript, snippets.python, snippets.cli].map((code) =>
    code?.split("\n", 1)[0]?.replace(/^(?:#|\/\/) /, ""),
  );
  expect(firstLines).toEqual([
    `npm install ${url}/packages/mediamill-sdk.tgz`,
    `pip install ${url}/packages/mediamill-1.0.0-py3-none-any.whl`,
    `npm install -g ${url}/packages/mediamill-cli.tgz`,
  ]);
});
