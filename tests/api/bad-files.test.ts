import "#tests/support/use-data-folder.ts";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { type BadInput, buildBadInput, expectedOutcomes } from "#tests/hostile/bad-input.ts";
import { startCanary } from "#tests/hostile/canary.ts";
import { badInputs } from "#tests/hostile/catalogue.ts";
import { findRemainingCommands } from "#tests/hostile/engine-processes.ts";
import { containsSecretText } from "#tests/hostile/secret-text.ts";
import { findMessageProblem } from "#tests/hostile/public-message.ts";
import { expectNoStaleFiles, expectHealthyService } from "#tests/hostile/stale-files.ts";
import { makeOperationSamples } from "#tests/samples/catalogue-samples.ts";
import { createClient, type UploadPart } from "#tests/service/client.ts";
import { readUsageRows } from "#tests/service/usage.ts";
import { expectError } from "#tests/support/expect-error.ts";
import type { Sample } from "#tests/support/operation.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

/** Rows of the catalogue of bad inputs as a user sends them; every row is held in tests/operations. */

let client: Awaited<ReturnType<typeof createClient>>;

beforeAll(async () => {
  client = await createClient();
});
afterAll(() => expectHealthyService());

function find(rowId: string, operationId: string): [BadInput, Operation] {
  const row = badInputs.find(({ id }) => id === rowId);
  const operation = findOperation(operationId);
  if (!row || !operation) throw new Error(`no row ${rowId}, or no operation ${operationId}`);
  return [row, operation];
}

const toPart = async ({ path, filename }: Sample): Promise<UploadPart> => ({
  bytes: await readFile(path),
  filename: filename ?? basename(path),
});

/** The operation's example as a form, on `sample`, with a good file for each other part. */
async function toForm(operation: Operation, sample: Sample, part = "file") {
  const { input, files } = await makeOperationSamples(operation);
  const form: Record<string, string | UploadPart> = {};
  for (const [name, value] of Object.entries(operation.example)) form[name] = String(value);
  for (const [name, file] of Object.entries({ file: input, ...files, [part]: sample }))
    form[name] = await toPart(file);
  return form;
}

const post = async (operation: Operation, sample: Sample, part?: string) =>
  client.postForm(`/v1/${operation.id}`, await toForm(operation, sample, part));

/** Whatever the end of a bad job: it is told in a sentence, nothing reached out, and nothing is left. */
async function holdEnd(job: Job, bytes: number, usedBefore: number): Promise<void> {
  const bait = await startCanary();
  expect(bait.takeHits()).toEqual([]);
  expect(JSON.stringify(job)).not.toContain(bait.secretText);
  const isDone = job.status === "completed";
  expect([job.error === null, job.error_code === null]).toEqual([isDone, isDone]);
  if (job.error !== null) expect(findMessageProblem(job.error)).toBeUndefined();
  const path = join(await temporaryFolder(), "output");
  for (const index of job.outputs.keys()) {
    await writeFile(path, await client.download(job, index));
    expect(await containsSecretText(path, bait.secretText)).toBe(false);
  }
  const [usage] = await readUsageRows(client.email);
  expect(usage).toMatchObject({ reserved: 0, used: usedBefore + (isDone ? bytes : 0) });
  const told: { gb_used: number } = await (await client.request("/v1/usage")).json();
  expect(told.gb_used).toBe((usage?.used ?? 0) / 1e9);
  expect(await findRemainingCommands(job.id)).toEqual([]);
  await expectNoStaleFiles();
}

const used = async () => (await readUsageRows(client.email))[0]?.used ?? 0;

async function holdGoodJob(operation: Operation): Promise<void> {
  const { input } = await makeOperationSamples(operation);
  const job = await client.finish(await post(operation, input));
  expect([job.status, job.error]).toEqual(["completed", null]);
}

describe("a job ends as the catalogue says, is counted only if it completes, and harms no other:", () => {
  it.each([
    ["png of 256 megapixels in 32 KB", "image/sharpen"],
    ["png with a comment that inflates to 1 GB", "pipeline/strip-metadata"],
    ["truncated avif", "image/watermark-text"],
    ["svg with images from URLs and files", "pipeline/file-inspect"],
    ["an AVI with a playlist as subtitles", "video/preview-clip"],
    ["MagicYUV", "video/framerate"],
    ["an MP4 without its index", "video/overlay-text"],
    ["a WAV with 255 channels", "audio/normalize"],
    ["an MP3 with a cover of 50,000²", "audio/convert"],
    ["a user password", "pipeline/strip-metadata"],
    ["an object stream deflated ten times", "pipeline/strip-metadata"],
    ["scripts, launch actions, forms and attachments", "pipeline/file-inspect"],
    ["a megabyte that inflates to a gigabyte", "document/doc-to-pdf"],
    ["an OOXML document with a password", "document/doc-to-pdf"],
    ["an ODT with external references", "document/doc-to-pdf"],
    ["a height of 2 × 10⁷ pixels", "document/html-to-pdf"],
    ["files", "document/html-to-pdf"],
    ["malicious metadata in png", "pipeline/file-inspect"],
    ["a title of 10 MB in mp3", "pipeline/strip-metadata"],
  ])("%s to %s", { timeout: 300_000 }, async (rowId, operationId) => {
    const [row, operation] = find(rowId, operationId);
    const sample = await buildBadInput(row);
    const form = await toForm(operation, sample);
    const usedBefore = await used();
    const job = await client.finish(await client.postForm(`/v1/${operation.id}`, form));
    expect(expectedOutcomes(row, operation), job.error ?? "").toContain(
      job.error_code ?? "completes",
    );
    const bytes = Object.values(form).reduce(
      (sum, value) => sum + (typeof value === "string" ? 0 : value.bytes.length),
      0,
    );
    await holdEnd(job, bytes, usedBefore);
    await holdGoodJob(operation);
  });

  it("an image of 50,000² as a watermark", async () => {
    const [row, operation] = find("png that declares 50,000²", "pipeline/video-watermark");
    const usedBefore = await used();
    const sample = await buildBadInput(row);
    const job = await client.finish(await post(operation, sample, "watermark"));
    expect(job.error_code).toBe("too_complex");
    await holdEnd(job, 0, usedBefore);
    await holdGoodJob(operation);
  });
});

describe("a disguise is seen through, by whatever way it comes:", () => {
  it.each([
    ["an HLS playlist of a file", "video/framerate"],
    ["a DASH manifest of a URL", "audio/convert"],
    ["html named .png", "image/sharpen"],
    ["a database named .docx", "document/doc-to-pdf"],
  ])("%s to %s", async (rowId, operationId) => {
    const [row, operation] = find(rowId, operationId);
    const sample = await buildBadInput(row);
    const usedBefore = await used();
    const jobs = async () => (await client.request("/v1/jobs")).headers.get("x-total-count");
    const jobsBefore = await jobs();
    await expectError(await post(operation, sample), "invalid_input");
    expect(await jobs()).toBe(jobsBefore);
    const { url, folder } = inject("host");
    const name = basename(sample.path);
    await copyFile(sample.path, join(folder, name));
    const job = await client.runUrl(operation.id, `${url}/${name}`, operation.example);
    expect(job.error_code).toBe("unsupported_type");
    await holdEnd(job, 0, usedBefore);
    await holdGoodJob(operation);
  });
});
