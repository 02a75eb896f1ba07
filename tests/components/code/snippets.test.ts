import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestSnippets, type SnippetRequest } from "#components/code/snippets.ts";
import {
  installClients,
  type RunLanguage,
  runLanguages,
  runSnippet,
} from "#tests/support/run-snippet.ts";

/** A server that answers as the service does, and keeps what the snippets send. */
let server: Server;
let folder = "";
let url = "";
/** The request for the job: its path, and its fields in order with files as their contents. */
let sent: { readonly path: string; readonly fields: readonly (readonly [string, unknown])[] };

const names = ["one.txt", `it's "two", 2.txt`, "three.txt"] as const;
const remote = "https://example.com/a.png?x=1&y=2";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-snippets-"));
  await installClients(folder);
  for (const name of names) await writeFile(join(folder, name), `content of ${name}`);
  server = createServer(async (request, response) => {
    sent = await read(request, await buffer(request));
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

async function run(language: RunLanguage, request: Omit<SnippetRequest, "baseUrl">) {
  const snippets = requestSnippets({ ...request, baseUrl: url });
  const printed = await runSnippet(language, snippets, { folder, apiKey: "key" });
  expect(printed).toContain(`${url}/output`);
  return sent;
}

const [one, two, three] = names.map((name) => `content of ${name}`);

describe("an operation with several files", () => {
  const request = {
    operation: "image/animated",
    params: { delay: 80 },
    inputs: [{ file: names[2] }, { url: remote }, { file: names[0] }, { file: names[1] }],
  };

  it.each(runLanguages)("%s sends them in order as a form", async (language) => {
    const { path, fields } = await run(language, request);
    expect(path).toBe("/v1/image/animated");
    expect(fields).toContainEqual(["delay", "80"]);
    expect(fields.filter(([name]) => name !== "delay")).toEqual([
      ["file", three],
      ["input", remote],
      ["file", one],
      ["file", two],
    ]);
  });

  it.each(runLanguages)("%s sends URLs as a list", async (language) => {
    const urls = { ...request, inputs: [{ url: remote }, { url: "https://example.com/b.png" }] };
    expect((await run(language, urls)).fields).toEqual([
      ["inputs", [remote, "https://example.com/b.png"]],
      ["delay", 80],
    ]);
  });
});

describe("an operation with a further file", () => {
  const request = { operation: "video/overlay-image", params: {} };

  it.each(runLanguages)("%s sends its content next to a URL", async (language) => {
    const files = { image: { file: names[1] } };
    const { fields } = await run(language, { ...request, input: { url: remote }, files });
    expect(Object.fromEntries(fields)).toEqual({ input: remote, image: two });
  });

  it.each(runLanguages)("%s sends its URL next to a file", async (language) => {
    const files = { image: { url: remote } };
    const { fields } = await run(language, { ...request, input: { file: names[0] }, files });
    expect(Object.fromEntries(fields)).toEqual({ file: one, image_url: remote });
  });
});

it.each(runLanguages)("%s sends no file to an operation that takes none", async (language) => {
  const params = { text: "https://example.com/?a=1&b='2'", size: 300 };
  const { path, fields } = await run(language, { operation: "image/qr-code", params });
  expect(path).toBe("/v1/image/qr-code");
  expect(fields).toEqual(Object.entries(params));
});

it.each(runLanguages)("%s sends a parameter that is a keyword", async (language) => {
  const request = { operation: "audio/fade", params: { in: 2 }, input: { url: remote } };
  expect((await run(language, request)).fields).toEqual([
    ["input", remote],
    ["in", 2],
  ]);
});

it.each(runLanguages)("%s sends a chain", async (language) => {
  const operations = [
    { type: "image/sharpen", params: { sigma: 2 } },
    { type: "image/watermark-text", params: { text: 'it\'s "one"', opacity: 1 } },
    { type: "image/flip", params: {} },
  ];
  const { path, fields } = await run(language, {
    operation: "chain",
    params: { operations, metadata: { order: "7" } },
    input: { url: remote },
  });
  expect(path).toBe("/v1/jobs");
  expect(Object.fromEntries(fields)).toEqual({
    input: remote,
    operations,
    metadata: { order: "7" },
  });
});

it.each(runLanguages)("%s sends a target for the outputs", async (language) => {
  const output = {
    connection: `conn_${"a".repeat(24)}`,
    path: "out/{stem}.{ext}",
    overwrite: true,
  };
  const params = { width: 80, output, keep: true };
  const request = { operation: "image/resize", params, input: { url: remote } };
  expect(Object.fromEntries((await run(language, request)).fields)).toEqual({
    input: remote,
    ...params,
  });
});

describe("the command of the CLI", () => {
  /** The arguments that a shell makes of the command. */
  async function argumentsOf(request: Omit<SnippetRequest, "baseUrl">): Promise<string[]> {
    const { cli = "" } = requestSnippets({ ...request, baseUrl: url });
    const program = `#!/bin/sh\nprintf '%s\\0' "$MEDIAMILL_BASE_URL" "$@"`;
    await writeFile(join(folder, "mediamill"), program, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    return execFileSync("sh", ["-c", cli], { env, encoding: "utf8" }).split("\0").slice(0, -1);
  }

  it("has a target in the place of a folder", async () => {
    const connection = `conn_${"a".repeat(24)}`;
    const output = { connection, path: "out/{stem}.{ext}", overwrite: true };
    const request = { operation: "image/flip", params: { output }, input: { file: names[0] } };
    const target = ["--export", `${connection}:out/{stem}.{ext}`, "--overwrite"];
    expect(await argumentsOf(request)).toEqual([url, "image", "flip", names[0], ...target]);
    const params = { output: { url: remote }, keep: true };
    const kept = await argumentsOf({ ...request, params });
    expect(kept.slice(4)).toEqual(["--export", remote, "--keep", "-o", "out/"]);
  });

  it("has files, then options by the names of the API", async () => {
    const given = await argumentsOf({
      operation: "image/watermark-image",
      params: {
        font_size: 12,
        text: `it's "$HOME"\n`,
        tile: true,
        loop: false,
        start: -1,
        metadata: { a: "1", b: "2=3" },
      },
      inputs: [{ file: names[1] }, { url: remote }, { file: "-x.png" }],
      files: { watermark: { file: "logo.png" } },
    });
    expect(given).toEqual([
      url,
      "image",
      "watermark-image",
      names[1],
      remote,
      "./-x.png",
      "--watermark",
      "logo.png",
      "--font-size",
      "12",
      "--text",
      `it's "$HOME"\n`,
      "--tile",
      "--no-loop",
      "--start=-1",
      "--metadata",
      "a=1",
      "--metadata",
      "b=2=3",
      "-o",
      "out/",
    ]);
  });

  it("has each operation of a chain, with its own options", async () => {
    const given = await argumentsOf({
      operation: "chain",
      params: {
        operations: [
          { type: "image/watermark-text", params: { text: `it's "one"`, font_size: 12 } },
          { type: "image/flip", params: {} },
        ],
        metadata: { a: "1" },
      },
      input: { file: names[1] },
    });
    expect(given).toEqual([
      url,
      "chain",
      names[1],
      "-o",
      "out/",
      "--metadata",
      "a=1",
      "--then",
      "image/watermark-text",
      "--text",
      `it's "one"`,
      "--font-size",
      "12",
      "--then",
      "image/flip",
    ]);
  });
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
