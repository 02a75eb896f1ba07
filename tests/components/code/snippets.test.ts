import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { requestSnippets, type SnippetRequest } from "#components/code/snippets.ts";

/** A server that answers as the service does, and keeps what the snippets send. */
let server: Server;
let folder = "";
let url = "";
/** Contents of uploads by id. */
const uploads = new Map<string, string>();
/** The request for the job: its path, and its fields in order with files as their contents. */
let sent: { readonly path: string; readonly fields: readonly (readonly [string, unknown])[] };

const names = ["one.txt", `it's "two", 2.txt`, "three.txt"] as const;
const remote = "https://example.com/a.png?x=1&y=2";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-snippets-"));
  for (const name of names) await writeFile(join(folder, name), `content of ${name}`);
  server = createServer(async (request, response) => {
    const answer = await handle(request, await buffer(request));
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
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

beforeEach(() => uploads.clear());

async function handle({ url: path = "", headers }: IncomingMessage, body: Buffer) {
  if (path === "/v1/uploads") {
    const id = `upload_${uploads.size}`;
    uploads.set(id, "");
    return { id, url: `${url}/uploads/${id}`, method: "PUT", headers: {} };
  }
  const [, upload] = /^\/uploads\/(.+)$/.exec(path) ?? [];
  if (upload) {
    uploads.set(upload, body.toString());
    return {};
  }
  const type = headers["content-type"] ?? "";
  sent = {
    path,
    fields: type.startsWith("multipart/") ? await readForm(type, body) : readJson(body),
  };
  return { id: "job_1", status: "completed", outputs: [{ url: `${url}/output` }] };
}

async function readForm(type: string, body: Buffer) {
  const form = await new Response(new Uint8Array(body), {
    headers: { "Content-Type": type },
  }).formData();
  const read = async ([name, value]: [string, FormDataEntryValue]) =>
    [name, typeof value === "string" ? value : await value.text()] as const;
  return Promise.all([...form].map(read));
}

/** The fields of a JSON body, with the contents of uploads in place of their ids. */
function readJson(body: Buffer) {
  const fields: Record<string, unknown> = JSON.parse(body.toString());
  const open = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(open) : (uploads.get(String(value)) ?? value);
  return Object.entries(fields).map(([name, value]) => [name, open(value)] as const);
}

const programs = {
  curl: { file: "request.sh", command: "sh" },
  typescript: { file: "request.mts", command: process.execPath },
  python: { file: "request.py", command: "python3" },
} as const;

async function run(language: keyof typeof programs, request: Omit<SnippetRequest, "baseUrl">) {
  const { file, command } = programs[language];
  await writeFile(join(folder, file), requestSnippets({ ...request, baseUrl: url })[language]);
  const env = { ...process.env, MEDIAMILL_API_KEY: "key" };
  await promisify(execFile)(command, [file], { cwd: folder, env });
  return sent;
}

const languages = ["curl", "typescript", "python"] as const;
const [one, two, three] = names.map((name) => `content of ${name}`);

describe("an operation with several files", () => {
  const request = {
    operation: "image/animated",
    params: { delay: 80 },
    inputs: [{ file: names[2] }, { url: remote }, { file: names[0] }, { file: names[1] }],
  };

  it.each(["curl", "typescript"] as const)("%s sends them in order as a form", async (language) => {
    expect(await run(language, request)).toEqual({
      path: "/v1/image/animated",
      fields: [
        ["file", three],
        ["input", remote],
        ["file", one],
        ["file", two],
        ["delay", "80"],
      ],
    });
  });

  it("python sends the ids of uploads in order", async () => {
    const { fields } = await run("python", request);
    expect(fields).toEqual([
      ["inputs", [three, remote, one, two]],
      ["delay", 80],
    ]);
  });

  it.each(languages)("%s sends URLs as a list", async (language) => {
    const urls = { ...request, inputs: [{ url: remote }, { url: "https://example.com/b.png" }] };
    expect((await run(language, urls)).fields).toEqual([
      ["inputs", [remote, "https://example.com/b.png"]],
      ["delay", 80],
    ]);
  });

  it.each(languages)("%s sends a further file next to them", async (language) => {
    const { fields } = await run(language, {
      ...request,
      inputs: [{ url: remote }, { file: names[0] }],
      files: { audio: { url: "https://example.com/audio.mp3" } },
    });
    expect(fields).toContainEqual(["audio_url", "https://example.com/audio.mp3"]);
    const inputs = fields.filter(([name]) => name !== "audio_url" && name !== "delay");
    expect(inputs.flatMap(([, value]) => value)).toEqual([remote, one]);
  });
});

it.each(languages)("%s sends no file to an operation that takes none", async (language) => {
  const params = { text: "https://example.com/?a=1&b='2'", size: 300 };
  const { path, fields } = await run(language, { operation: "image/qr-code", params });
  expect(path).toBe("/v1/image/qr-code");
  expect(fields).toEqual(Object.entries(params));
});
