import "#tests/support/setup/use-data-folder.ts";
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
import { findMessageProblem } from "#tests/hostile/public-message.ts";
import { containsSecretText } from "#tests/hostile/secret-text.ts";
import { expectHealthyService, expectNoStaleFiles } from "#tests/hostile/stale-files.ts";
import { makeOperationSamples } from "#tests/samples/catalogue-samples.ts";
import { createClient, type UploadPart } from "#tests/service/http/client.ts";
import { readUsageRows } from "#tests/service/usage.ts";
import { expectError } from "#tests/support/expect-error.ts";
import type { Sample } from "#tests/support/operation.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

/** Sends a selection of the bad inputs through the API. tests/operations covers every bad input. */

type Case = readonly [rowId: string, operationId: string];

/** Rows of the bad inputs, and the operations that get them. */
const badInputCases: readonly Case[] = [
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
];

/** Rows whose content is not what their name says. */
const disguisedCases: readonly Case[] = [
  ["an HLS playlist of a file", "video/framerate"],
  ["a DASH manifest of a URL", "audio/convert"],
  ["html named .png", "image/sharpen"],
  ["a database named .docx", "document/doc-to-pdf"],
];

const watermarked = "pipeline/video-watermark";

let client: Awaited<ReturnType<typeof createClient>>;

beforeAll(async () => {
  client = await createClient();
});
afterAll(() => expectHealthyService());

function findCase(rowId: string, operationId: string): [BadInput, Operation] {
  const row = badInputs.find(({ id }) => id === rowId);
  const operation = findOperation(operationId);
  if (!row || !operation)
    throw new Error(`unknown row ${rowId} or unknown operation ${operationId}`);
  return [row, operation];
}

const toPart = async ({ path, filename }: Sample): Promise<UploadPart> => ({
  bytes: await readFile(path),
  filename: filename ?? basename(path),
});

/** The operation's example as form fields, with `sample` as `part` and valid files as the other parts. */
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

/** Expects a clear error message, no external request, exact usage, and no stale files or processes. */
async function expectCleanEnd(job: Job, bytes: number, usedBefore: number): Promise<void> {
  const canary = await startCanary();
  expect(canary.takeHits()).toEqual([]);
  expect(JSON.stringify(job)).not.toContain(canary.secretText);
  const isDone = job.status === "completed";
  expect([job.error === null, job.error_code === null]).toEqual([isDone, isDone]);
  if (job.error !== null) expect(findMessageProblem(job.error)).toBeUndefined();
  const path = join(await temporaryFolder(), "output");
  for (const index of job.outputs.keys()) {
    await writeFile(path, await client.download(job, index));
    expect(await containsSecretText(path, canary.secretText)).toBe(false);
  }
  const [usage] = await readUsageRows(client.email);
  expect(usage).toMatchObject({ reserved: 0, used: usedBefore + (isDone ? bytes : 0) });
  const reported: { gb_used: number } = await (await client.request("/v1/usage")).json();
  expect(reported.gb_used).toBe((usage?.used ?? 0) / 1e9);
  expect(await findRemainingCommands(job.id)).toEqual([]);
  await expectNoStaleFiles();
}

const readUsedBytes = async () => (await readUsageRows(client.email))[0]?.used ?? 0;

describe("a job with a bad input ends as expected, and counts only if it completes:", () => {
  it.each(badInputCases)("%s to %s", { timeout: 300_000 }, async (rowId, operationId) => {
    const [row, operation] = findCase(rowId, operationId);
    const sample = await buildBadInput(row);
    const form = await toForm(operation, sample);
    const usedBefore = await readUsedBytes();
    const job = await client.finish(await client.postForm(`/v1/${operation.id}`, form));
    expect(expectedOutcomes(row, operation), job.error ?? "").toContain(
      job.error_code ?? "completes",
    );
    const bytes = Object.values(form).reduce(
      (sum, value) => sum + (typeof value === "string" ? 0 : value.bytes.length),
      0,
    );
    await expectCleanEnd(job, bytes, usedBefore);
  });

  it("an image of 50,000² as a watermark", async () => {
    const [row, operation] = findCase("png that declares 50,000²", watermarked);
    const usedBefore = await readUsedBytes();
    const sample = await buildBadInput(row);
    const job = await client.finish(await post(operation, sample, "watermark"));
    expect(job.error_code).toBe("too_complex");
    await expectCleanEnd(job, 0, usedBefore);
  });
});

describe("a disguised file is rejected, both as an upload and from a URL:", () => {
  it.each(disguisedCases)("%s to %s", async (rowId, operationId) => {
    const [row, operation] = findCase(rowId, operationId);
    const sample = await buildBadInput(row);
    const usedBefore = await readUsedBytes();
    const countJobs = async () => (await client.request("/v1/jobs")).headers.get("x-total-count");
    const jobsBefore = await countJobs();
    await expectError(await post(operation, sample), "invalid_input");
    expect(await countJobs()).toBe(jobsBefore);
    const { url, folder } = inject("host");
    const name = basename(sample.path);
    await copyFile(sample.path, join(folder, name));
    const job = await client.runUrl(operation.id, `${url}/${name}`, operation.example);
    expect(job.error_code).toBe("unsupported_type");
    await expectCleanEnd(job, 0, usedBefore);
  });
});

/**
 * These tests run after all bad inputs, because a job of each operation after each of them takes
 * twice the time.
 */
describe("a valid job completes afterwards:", () => {
  const ids = [...badInputCases, ...disguisedCases].map(([, id]) => id);

  it.each([...new Set([...ids, watermarked])])("%s", async (id) => {
    const operation = findOperation(id) ?? expect.fail(`unknown operation ${id}`);
    const { input } = await makeOperationSamples(operation);
    const job = await client.finish(await post(operation, input));
    expect([job.status, job.error]).toEqual(["completed", null]);
  });
});
