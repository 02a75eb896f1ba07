import { copyFile, readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { sniffBytes } from "#lib/formats/sniff/sniff.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { mediaType } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";
import {
  type ClientRequest,
  startClients,
  type TestedClient,
} from "#tests/clients/tested-clients.ts";
import { processStarts } from "#tests/operations/process-starts.ts";
import { makeOperationSamples, makeSample } from "#tests/samples/catalogue-samples.ts";
import type { CollectedSpan } from "#tests/servers/otlp.ts";
import { Client, type UploadPart } from "#tests/service/http/client.ts";
import { expectError } from "#tests/support/expect-error.ts";
import type { Sample } from "#tests/support/operation.ts";
import { waitUntil } from "#tests/support/processes.ts";
import { traceOfJob } from "#tests/support/traces.ts";

const client = new Client();

async function toPart(path: string): Promise<UploadPart> {
  return { bytes: await readFile(path), filename: basename(path) };
}

/** Copies a sample to the host that the service may fetch from, and returns its URL. */
async function toUrl({ path, type }: Sample): Promise<string> {
  const name = `${type}-${basename(path, extname(path)).slice(0, 20)}.${mediaType(type).extension}`;
  const { url, folder } = inject("host");
  await copyFile(path, join(folder, name));
  return `${url}/${name}`;
}

/** The parameters of the example as a job shows them. */
function shownParams({ params, example }: Operation): Record<string, unknown> {
  const { properties } = parameterSchemas(params);
  const shown = Object.entries(params.parse(example)).map(([name, value]) => [
    name,
    properties[name]?.secret ? "***" : value,
  ]);
  return Object.fromEntries(shown);
}

/** What a job's input depends on, except its type: operations of one kind get theirs by the same code. */
function inputKind({ group, runsIn, partial, keepsInput, inputs, files, ...rest }: Operation) {
  const parts = Object.keys(files ?? {}).length;
  const ownHeaders = rest.inputHeaders !== undefined;
  return JSON.stringify({ group, runsIn, partial, keepsInput, inputs, parts, ownHeaders });
}

type Source = "an upload" | "a URL";

/** The first operation of each kind takes an upload and a URL, the others take turns with them. */
const seenKinds = new Set<string>();
const turns = operations.map((operation, index) => {
  const kind = inputKind(operation);
  const isFirst = !seenKinds.has(kind);
  seenKinds.add(kind);
  return { id: operation.id, operation, index, isFirst };
});
const singles = turns.filter(({ isFirst }) => !isFirst).map((turn, place) => ({ ...turn, place }));

let clients: TestedClient[];

/** The jobs of the examples. */
const examples: { readonly operation: string; readonly job: string }[] = [];

beforeAll(async () => {
  clients = await startClients(inject("service"));
  // The first job of ffmpeg and ffprobe also lists their libraries.
  const audio = await makeSample("mp3");
  const form = { file: await toPart(audio.path), format: "wav" };
  await client.finish(await client.postForm("/v1/audio/convert", form));
});
afterAll(() => Promise.all(clients.map((one) => one.close())));

/** Runs the example by one of the clients, or by a plain request. */
async function runExample(operation: Operation, turn: number, source: Source): Promise<Job> {
  const { inputs, files } = await makeOperationSamples(operation);
  const place = (file: Sample) => (source === "a URL" ? toUrl(file) : file.path);
  const further: Record<string, string> = {};
  for (const [part, file] of Object.entries(files)) further[part] = await place(file);
  const request = { inputs: await Promise.all(inputs.map(place)), files: further };
  const sent = clients[turn];
  const job = sent
    ? await readJob(await sent.run({ operation, params: operation.example, ...request }))
    : await sendPlain(operation, request);
  expect(job).toMatchObject({ status: "completed", progress: 100, error: null });
  examples.push({ operation: operation.id, job: job.id });
  expect(job.params).toMatchObject(shownParams(operation));
  const bytes = await client.download(job);
  const expected = mediaType(operation.produces(inputs[0]?.type ?? "unknown", job.params));
  const found = await sniffBytes(bytes, { filename: job.outputs[0]?.filename ?? "" });
  expect([found.id, job.outputs[0]?.content_type]).toEqual([expected.id, expected.mime]);
  return job;
}

async function readJob(id: string): Promise<Job> {
  return (await (await client.request(`/v1/jobs/${id}`)).json()) as Job;
}

describe.each(turns.filter(({ isFirst }) => isFirst))("$id", ({ operation, index }) => {
  it("produces the same output from an upload and from a URL", async () => {
    // The plain requests take turns with the clients, and each pair of them comes up.
    const count = clients.length + 1;
    const byUpload = index % count;
    const byUrl = (byUpload + 1 + (Math.floor(index / count) % (count - 1))) % count;
    const [uploaded, fetched] = await Promise.all([
      runExample(operation, byUpload, "an upload"),
      runExample(operation, byUrl, "a URL"),
    ]);
    expect(fetched.input.bytes).toBe(uploaded.input.bytes);
    expect({ ...fetched.outputs[0], bytes: 0, url: "", expires_at: "", filename: "" }).toEqual({
      ...uploaded.outputs[0],
      bytes: 0,
      url: "",
      expires_at: "",
      filename: "",
    });
  });
});

it.each(singles)("$id runs its example", async ({ operation, place }) => {
  const count = clients.length + 1;
  // Each client gets both sources in turn.
  const source = Math.floor(place / count) % 2 === 0 ? "an upload" : "a URL";
  await runExample(operation, place % count, source);
});

/** The traces of the jobs, complete. */
async function readTraces(jobs: readonly string[]): Promise<ReadonlyMap<string, CollectedSpan[]>> {
  let traces = new Map<string, CollectedSpan[]>();
  await waitUntil(async () => {
    const spans = (await (await fetch(inject("service").spansUrl)).json()) as CollectedSpan[];
    traces = new Map(jobs.map((id) => [id, traceOfJob(spans, id)]));
    // The span of the attempt ends after those of its engines.
    return traces.values().every((trace) => trace.some(({ name }) => name.startsWith("run ")));
  }, 20_000);
  return traces;
}

const isStart = ({ attributes }: CollectedSpan) => attributes["mediamill.engine.warm"] === false;

it("no example starts more engine processes than tests/operations/process-starts.ts says, or fewer", async () => {
  const traces = await readTraces(examples.map(({ job }) => job));
  const wrong = examples.flatMap(({ operation, job }) => {
    const starts = traces.get(job)?.filter(isStart) ?? [];
    const expected = processStarts[operation] ?? 0;
    if (starts.length === expected) return [];
    const names = starts.map(({ name }) => name.replace("engine ", "")).join(", ");
    const advice = starts.length < expected ? ": lower the number" : "";
    return `${operation} starts ${starts.length} (${names}) and not ${expected}${advice}`;
  });
  expect(wrong).toEqual([]);
  const ids = new Set(operations.map(({ id }) => id));
  expect(Object.keys(processStarts).filter((id) => !ids.has(id as Operation["id"]))).toEqual([]);
});

/** Sends the example as a plain request: a form with files, or JSON with URLs. */
async function sendPlain(
  operation: Operation,
  { inputs, files }: Pick<ClientRequest, "inputs" | "files">,
): Promise<Job> {
  const path = `/v1/${operation.id}`;
  const isRemote = [...inputs, ...Object.values(files)].every((file) => file.startsWith("http"));
  if (isRemote) {
    const further = Object.entries(files).map(([part, url]) => [`${part}_url`, url]);
    const named = { 0: {}, 1: { input: inputs[0] } }[operation.inputs.max] ?? { inputs };
    const body = { ...operation.example, ...Object.fromEntries(further), ...named };
    return client.finish(await client.postJson(path, body));
  }
  const form: Record<string, string | UploadPart | UploadPart[]> = {};
  for (const [name, value] of Object.entries(operation.example)) {
    form[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  for (const [part, file] of Object.entries(files)) form[part] = await toPart(file);
  form.file = await Promise.all(inputs.map(toPart));
  return client.finish(await client.postForm(path, form));
}

describe("a chain", () => {
  const html = { bytes: "<h1>Hello</h1>", filename: "hello.html" };

  it("runs each operation on the output of the previous one, as one job", async () => {
    const form = {
      file: html,
      operations: JSON.stringify([
        { type: "document/html-to-pdf", params: { page_size: "Letter" } },
        { type: "pipeline/strip-metadata" },
        { type: "pipeline/file-inspect" },
      ]),
    };
    const job = await client.finish(await client.postForm("/v1/jobs", form));
    expect(job).toMatchObject({ status: "completed", operation: "chain" });
    expect(job.result).toMatchObject({ type: "pdf", pages: 1 });
    expect(job.outputs.map((output) => output.filename)).toEqual(["hello.json"]);
  });

  const strip = { type: "pipeline/strip-metadata" };
  const sharpen = { type: "image/sharpen" };
  it.each([
    [
      "an unknown operation",
      [{ type: "image/nothing" }],
      /^Operation 1: `type` must be the id of an operation/,
    ],
    ["no operations", [], /^`operations` must have 1 to 10/],
    ["eleven operations", Array(11).fill(strip), /^`operations` must have 1 to 10/],
    [
      "a wrong parameter",
      [strip, { ...sharpen, params: { sigma: 0 } }],
      /^Operation 2, image\/sharpen: `sigma` must be a number from 0.1 to 10\.$/,
    ],
    [
      "operations that do not fit",
      [{ type: "document/html-to-pdf" }, sharpen],
      /^Operation 2, image\/sharpen: the output of the operation before it must be JPEG/,
    ],
    [
      "an unknown field",
      [{ ...sharpen, parms: {} }],
      /^Operation 1: `parms` is not one of its fields\. Did you mean `params`\? Allowed fields: `type`, `params`\.$/,
    ],
    ["a null operation", [null], /^Operation 1 must be an object with `type` and `params`\.$/],
    [
      "an id instead of an operation",
      ["image/sharpen"],
      /^Operation 1 must be an object with `type` and `params`\.$/,
    ],
    ["no type", [{ params: {} }], /^Operation 1: `type` must be the id of an operation/],
    [
      "parameters that are not an object",
      [{ ...sharpen, params: [] }],
      /^Operation 1: `params` must be an object\.$/,
    ],
  ])("with %s is rejected", async (_name, chain, message) => {
    const response = await client.postJson("/v1/jobs", {
      input: "https://example.com/a",
      operations: chain,
    });
    expect(await expectError(response, "invalid_parameter")).toMatch(message);
  });

  const photo = () => makeSample("jpeg");
  const videoSteps = [strip, { type: "video/framerate", params: { fps: 3 } }];

  it("is checked against the type of the uploaded file", async () => {
    const form = {
      file: await toPart((await photo()).path),
      operations: JSON.stringify(videoSteps),
    };
    const message = await expectError(await client.postForm("/v1/jobs", form), "invalid_parameter");
    expect(message).toMatch(
      /^Operation 2, video\/framerate: the output of the operation before it must be MP4/,
    );
  });

  it("that does not fit the file at its URL fails before its first operation", async () => {
    const body = { input: await toUrl(await photo()), operations: videoSteps };
    const job = await client.finish(await client.postJson("/v1/jobs", body));
    expect(job).toMatchObject({ status: "failed", error_code: "unsupported_type" });
    expect(job.error).toMatch(
      /^Operation 2, video\/framerate: the input must be MP4.+ It is JPEG\.$/,
    );
  });
});

describe("an upload created before its job", () => {
  const text = Buffer.from("sent before its job");

  const createUpload = async (bytes: number) => {
    const response = await client.postJson("/v1/uploads", { filename: "a.txt", bytes });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: string; url: string; method: string };
  };

  it("can be the input of several jobs", async () => {
    const { id, url, method } = await createUpload(text.length);
    expect((await client.postJson("/v1/pipeline/file-inspect", { input: id })).status).toBe(400);
    expect((await fetch(url, { method, body: text })).status).toBe(204);
    expect((await fetch(url, { method, body: text })).status).toBe(409);
    for (let round = 0; round < 2; round++) {
      const job = await client.runUrl("pipeline/file-inspect", id);
      expect(job).toMatchObject({
        status: "completed",
        input: { filename: "a.txt", bytes: text.length, url: null },
      });
    }
  });

  it("must have its declared size, a valid signature and a valid number of bytes", async () => {
    const { url, method } = await createUpload(text.length + 1);
    expect((await fetch(url, { method, body: text })).status).toBe(400);
    expect((await fetch(url.replace(/.$/, "x"), { method, body: text })).status).toBe(403);
    for (const bytes of [0, -1, 1.5, "1"]) {
      const response = await client.postJson("/v1/uploads", { filename: "a.txt", bytes });
      expect(response.status).toBe(400);
    }
  });
});
