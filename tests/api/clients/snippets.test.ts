import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { firstSnippets } from "#components/code/first-snippets.ts";
import {
  requestSnippets,
  type SnippetFile,
  type SnippetRequest,
} from "#components/code/snippets.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { sampleVideo } from "#tests/samples/videos.ts";
import { Client } from "#tests/service/http/client.ts";
import {
  installClients,
  type RunLanguage,
  runLanguages,
  runSnippet,
} from "#tests/support/run-snippet.ts";

/** Characters with a special meaning in shells, forms and string literals. */
const awkwardText = `@it's "$HOME" \\n; <b>=(1,2)\n#{x} \${y} 東京 🎬`;
const awkwardName = `it's a "photo"; no, two=1.png`;

const client = new Client();
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-snippets-"));
  await installClients(folder);
  const { folder: hostFolder } = inject("host");
  const image = sharp({ create: { width: 160, height: 90, channels: 3, background: "#a33b12" } });
  const bytes = await image.png().toBuffer();
  for (const name of [awkwardName, "logo.png"]) await writeFile(join(folder, name), bytes);
  await writeFile(join(hostFolder, "snippet.png"), bytes);
  await copyFile(sampleVideo(), join(folder, "video.mp4"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const imageUrl = () => `${inject("host").url}/snippet.png`;

const requests: [name: string, request: () => Omit<SnippetRequest, "baseUrl">][] = [
  [
    "a file with awkward text and an awkward name",
    () => ({
      operation: "image/watermark-text",
      params: { text: awkwardText, opacity: 0.5, metadata: { note: awkwardText } },
      input: { file: awkwardName },
    }),
  ],
  [
    "a URL",
    () => ({
      operation: "image/watermark-text",
      params: { text: awkwardText, opacity: 0.5, metadata: { note: awkwardText } },
      input: { url: imageUrl() },
    }),
  ],
  [
    "two files",
    () => ({
      operation: "pipeline/video-watermark",
      params: { scale: 0.25 },
      input: { file: "video.mp4" },
      files: { watermark: { file: "logo.png" } },
    }),
  ],
  [
    "several inputs, files and a URL",
    () => ({
      operation: "image/animated",
      params: { delay: 80 },
      inputs: [{ file: "logo.png" }, { url: imageUrl() }, { file: awkwardName }],
    }),
  ],
  [
    "several URLs",
    () => ({
      operation: "image/animated",
      params: { delay: 80 },
      inputs: [{ url: imageUrl() }, { url: imageUrl() }],
    }),
  ],
  [
    "no input",
    () => ({
      operation: "image/qr-code",
      params: { text: "https://example.com/?a=1&b='2'", size: 300 },
    }),
  ],
  [
    "a chain of operations",
    () => ({
      operation: "chain",
      params: {
        operations: [
          { type: "image/sharpen", params: { sigma: 2 } },
          { type: "image/watermark-text", params: { text: "one two", opacity: 1 } },
        ],
      },
      input: { file: "logo.png" },
    }),
  ],
];

const run = (language: RunLanguage, request: SnippetRequest) =>
  runSnippet(language, requestSnippets(request), { folder, apiKey: inject("service").apiKey });

/** The job that a snippet created, found by what the snippet printed. */
async function readJob(language: RunLanguage, printed: string): Promise<Job> {
  // The API's response.
  if (language === "curl") return JSON.parse(printed) as Job;
  const url = new URL(printed.trim().split("\n")[0] ?? "");
  const file = await fetch(url);
  expect(file.status).toBe(200);
  await file.body?.cancel();
  const response = await client.request(`/v1/jobs/${url.pathname.split("/")[2]}`);
  return (await response.json()) as Job;
}

/** The name of an input in its job; null if the operation takes none. */
function filenameOf(input: SnippetFile | undefined): string | null {
  if (!input) return null;
  return "file" in input ? input.file : "snippet.png";
}

describe.each(requests)("%s", (_name, request) => {
  it.each(runLanguages)("runs as %s", async (language) => {
    const snippetRequest = { ...request(), baseUrl: inject("service").url };
    const printed = await run(language, snippetRequest);
    const job = await readJob(language, printed);
    const { metadata = {}, ...params } = snippetRequest.params;
    expect(job).toMatchObject({
      status: "completed",
      operation: snippetRequest.operation,
      metadata,
    });
    expect(job.params).toMatchObject(params);
    const { input, inputs: [first = input] = [] } = snippetRequest;
    expect(job.input.filename).toBe(filenameOf(first));
  });
});

it.each(runLanguages)("the first request of a new key runs as %s", async (language) => {
  const { url, apiKey } = inject("service");
  const printed = await runSnippet(language, firstSnippets(url, apiKey), { folder, apiKey: "" });
  const job = await readJob(language, printed);
  expect(job).toMatchObject({ status: "completed", operation: "document/html-to-pdf" });
});

/** The job that the command created, found by the metadata that the command gave it. */
async function runCommand(request: Omit<SnippetRequest, "baseUrl">, label: string): Promise<Job> {
  const { metadata = {}, ...params } = request.params;
  const marked = { ...params, metadata: { ...(metadata as object), label } };
  await run("cli", { ...request, params: marked, baseUrl: inject("service").url });
  const response = await client.request(`/v1/jobs?metadata[label]=${label}`);
  const { jobs } = (await response.json()) as { jobs: Job[] };
  expect(jobs).toHaveLength(1);
  return jobs[0] as Job;
}

describe("the command of the CLI", () => {
  it.each(requests)("%s: runs, and saves the outputs", async (_name, make) => {
    const request = make();
    const job = await runCommand(request, `cli-${crypto.randomUUID()}`);
    expect(job).toMatchObject({ status: "completed", operation: request.operation });
    const { metadata = {}, ...params } = request.params;
    expect(job.params).toMatchObject(params);
    expect(job.metadata).toMatchObject(metadata as object);
    const { input, inputs: [first = input] = [] } = request;
    expect(job.input.filename).toBe(filenameOf(first));
    expect((await readdir(join(folder, "out"))).length).toBe(job.outputs.length);
    await rm(join(folder, "out"), { recursive: true });
  });
});

it.each(["typescript", "python", "cli"] as const)(
  "%s reports why a request is rejected",
  async (language) => {
    const request = {
      operation: "image/sharpen",
      params: { sigma: 99 },
      input: { url: imageUrl() },
    };
    const sent = run(language, { ...request, baseUrl: inject("service").url });
    await expect(sent).rejects.toThrow(/sigma`? must be a number/);
  },
);
