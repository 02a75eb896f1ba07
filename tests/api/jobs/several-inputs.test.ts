import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { decodeAudio, makeAudio } from "#tests/samples/audio.ts";
import { Client, createClient, type UploadPart } from "#tests/service/http/client.ts";
import { readUsageRows } from "#tests/service/usage.ts";
import { expectError } from "#tests/support/expect-error.ts";

const client = new Client();
const concat = "/v1/audio/concat";

/** A tone of half a second as WAV, recognizable by its frequency. */
async function tone(frequency: number): Promise<UploadPart & { readonly url: string }> {
  const source = `sine=frequency=${frequency}:sample_rate=8000`;
  const { path } = makeAudio("wav", { source, sampleRate: 8000, duration: 0.5 });
  const { url, folder } = inject("host");
  const name = `${frequency}-${basename(path)}`;
  await copyFile(path, join(folder, name));
  return { bytes: await readFile(path), filename: `${frequency}.wav`, url: `${url}/${name}` };
}

const tones = () => Promise.all([400, 800, 1600].map(tone));

/** The frequencies of the half seconds of a job's output, by their zero crossings. */
async function frequenciesOf(job: Job): Promise<number[]> {
  expect(job).toMatchObject({ status: "completed", error: null });
  const folder = await mkdtemp(join(tmpdir(), "mediamill-several-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "out.wav");
  await writeFile(path, await client.download(job));
  const samples = decodeAudio(path);
  const found: number[] = [];
  for (let start = 0; start + 4000 <= samples.length; start += 4000) {
    let crossings = 0;
    for (let at = start + 1; at < start + 4000; at++) {
      if ((samples[at - 1] ?? 0) < 0 !== (samples[at] ?? 0) < 0) crossings++;
    }
    found.push(Math.round(crossings / 20) * 20);
  }
  return found;
}

async function createUpload({ bytes, filename }: UploadPart): Promise<string> {
  const body = { filename, bytes: bytes.length };
  const created = await (await client.postJson("/v1/uploads", body)).json();
  const sent = await fetch(created.url, {
    method: "PUT",
    body: new Uint8Array(Buffer.from(bytes)),
  });
  expect(sent.ok).toBe(true);
  return created.id;
}

describe("an operation with several inputs takes them in order,", () => {
  it("as URLs and uploads in JSON", async () => {
    const [low, middle, high] = await tones();
    const inputs = [high?.url, await createUpload(low as UploadPart), middle?.url];
    const job = await client.finish(await client.postJson(concat, { inputs }));
    expect(await frequenciesOf(job)).toEqual([1600, 400, 800]);
  });

  it("as files and URLs in a form, mixed", async () => {
    const [low, middle, high] = await tones();
    const form = new FormData();
    const append = ({ bytes, filename }: UploadPart) =>
      form.append("file", new File([new Uint8Array(Buffer.from(bytes))], filename));
    append(middle as UploadPart);
    form.append("input", high?.url ?? "");
    append(low as UploadPart);
    const response = await client.request(concat, { method: "POST", body: form });
    const job = await client.finish(response);
    expect(await frequenciesOf(job)).toEqual([800, 1600, 400]);
    expect(job.input).toMatchObject({ filename: "800.wav", content_type: "audio/wav" });
    expect(job.outputs[0]?.filename).toBe("800-concat.wav");
  });

  it("again when the job is retried", async () => {
    const [low, middle] = await tones();
    const inputs = [low?.url, middle?.url, `${inject("host").url}/missing.wav`];
    const job = await client.finish(await client.postJson(concat, { inputs }));
    expect(job).toMatchObject({ status: "failed", error_code: "fetch_failed" });
    expect(job.error).toMatch(/^Input 3: /);
    const again = await client.request(`/v1/jobs/${job.id}/retry`, { method: "POST" });
    expect(await client.finish(again)).toMatchObject({ status: "failed", error: job.error });
  });

  it("and the same request with its Idempotency-Key is recognized by files and order", async () => {
    const [low, middle] = await tones();
    const send = (file: readonly UploadPart[]) =>
      client.postForm(concat, { file }, { "Idempotency-Key": `several-${process.pid}` });
    const files = [low, middle] as UploadPart[];
    const first = await client.finish(await send(files));
    const again = await send(files);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await again.json()).id).toBe(first.id);
    expect((await send(files.toReversed())).status).toBe(422);
  });

  it("and all of them count for the quota", async () => {
    const own = await createClient("pro");
    const files = (await tones()) as UploadPart[];
    const job = await own.finish(await own.postForm(concat, { file: files }));
    expect(job.status).toBe("completed");
    const [row] = await readUsageRows(own.email);
    const used = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(row).toMatchObject({ used, reserved: 0, jobs: 1 });
  });
});

describe("a request is rejected", () => {
  const url = "https://example.com/a.wav";
  it.each<[string, unknown, RegExp]>([
    [
      "without inputs",
      {},
      /^`inputs` must be a list of 2 to 100 URLs, ids of uploads or files in connections\.$/,
    ],
    ["with one input", { inputs: [url] }, /^`inputs` must be a list of 2 to 100/],
    ["with 101 inputs", { inputs: Array(101).fill(url) }, /^`inputs` must be a list of 2 to 100/],
    ["with text as inputs", { inputs: url }, /^`inputs` must be a list/],
    [
      "with `input`",
      { input: url },
      /^Send `inputs`, a list of 2 to 100 files, instead of `input`/,
    ],
    ["with both", { input: url, inputs: [url, url] }, /instead of `input`/],
    [
      "with a number",
      { inputs: [url, 5] },
      /^Input 2: `inputs\[1\]` must be a complete http or https URL/,
    ],
    ["with null", { inputs: [null, url] }, /^Input 1: `inputs\[0\]`/],
    ["with a list", { inputs: [url, [url]] }, /^Input 2: `inputs\[1\]`/],
    ["with a private address", { inputs: [url, "ftp://a/b"] }, /^Input 2: /],
    [
      "with an unknown upload",
      { inputs: [url, "upload_000000000000000000000000"] },
      /^Input 2: `inputs\[1\]` must be the id of an upload that exists/,
    ],
  ])("%s", async (_, body, message) => {
    const response = await client.postJson(concat, body);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatch(message);
  });

  it("with a file of another type, and names it", async () => {
    const [low] = await tones();
    const file = [low as UploadPart, { bytes: "just text", filename: "a.txt" }];
    const message = await expectError(await client.postForm(concat, { file }), "invalid_input");
    expect(message).toMatch(/^Input 2: `file` must be MP3.+ The file is plain text\.$/);
  });

  it("with an empty file", async () => {
    const [low] = await tones();
    const file = [low as UploadPart, { bytes: "", filename: "a.wav" }];
    await expectError(await client.postForm(concat, { file }), "invalid_input");
  });

  it("with one file, or `inputs` as a form field", async () => {
    const [low] = await tones();
    const one = await client.postForm(concat, { file: low as UploadPart });
    expect(await expectError(one, "invalid_input")).toMatch(/^The form must have 2 to 100 files/);
    const field = await client.postForm(concat, { inputs: "[]" });
    expect(await expectError(field, "invalid_input")).toMatch(/^In a form, repeat `file`/);
  });

  it("with more files than the operation takes", async () => {
    const file = Array.from({ length: 101 }, () => ({ bytes: "x", filename: "a.wav" }));
    const message = await expectError(await client.postForm(concat, { file }), "invalid_request");
    expect(message).toBe("The form must have at most 100 inputs.");
  });

  it("with several files for an operation that takes one", async () => {
    const file = [1, 2].map(() => ({ bytes: "x", filename: "a.txt" }));
    const response = await client.postForm("/v1/pipeline/file-inspect", { file });
    await expectError(response, "invalid_request");
    const json = await client.postJson("/v1/image/sharpen", { inputs: [url] });
    expect(await expectError(json, "invalid_parameter")).toMatch(/^`inputs` is not a parameter/);
  });
});

it("a failure names the input that is not of an accepted type", async () => {
  const [low] = await tones();
  const { url, folder } = inject("host");
  await writeFile(join(folder, "several.txt"), "just text");
  const inputs = [low?.url, `${url}/several.txt`];
  const job = await client.finish(await client.postJson(concat, { inputs }));
  expect(job).toMatchObject({ status: "failed", error_code: "unsupported_type" });
  expect(job.error).toMatch(/^Input 2: The file is plain text, but the operation accepts only MP3/);
});

describe("an operation without a file", () => {
  const path = "/v1/image/qr-code";

  it("needs only its parameters, and names its output after itself", async () => {
    const job = await client.finish(await client.postJson(path, { text: "hello" }));
    expect(job).toMatchObject({ status: "completed", error: null });
    expect(job.input).toEqual({ filename: null, content_type: null, bytes: null, url: null });
    expect(job.outputs.map(({ filename }) => filename)).toEqual(["qr-code.png"]);
    expect((await client.download(job)).subarray(1, 4).toString()).toBe("PNG");
  });

  it("takes a form, too, and no bytes are counted", async () => {
    const own = await createClient("pro");
    const job = await own.finish(await own.postForm(path, { text: "hello", size: "128" }));
    expect(job.outputs[0]).toMatchObject({ width: 128, height: 128 });
    const [row] = await readUsageRows(own.email);
    expect(row).toMatchObject({ used: 0, reserved: 0, jobs: 1 });
  });

  it("rejects files", async () => {
    const input = await client.postJson(path, { text: "a", input: "https://example.com/a.png" });
    expect(await expectError(input, "invalid_input")).toMatch(/^This operation takes no file/);
    const file = { bytes: "x", filename: "a.png" };
    await expectError(await client.postForm(path, { text: "a", file }), "invalid_request");
  });
});

it.each(["audio/concat", "image/qr-code"])("%s cannot be in a chain", async (type) => {
  const body = { input: "https://example.com/a.wav", operations: [{ type }] };
  const message = await expectError(await client.postJson("/v1/jobs", body), "invalid_parameter");
  expect(message).toMatch(/it takes (several files|no file) and cannot be in a chain\.$/);
});
