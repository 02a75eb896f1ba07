import { existsSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { Operation } from "#lib/operations/define.ts";
import { samplePath } from "#lib/setup/catalogue.mjs";
import { projectFolder } from "#lib/setup/node24.mjs";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import {
  drawPoster,
  isAnimated,
  needsPassword,
  readEntries,
  readPeaks,
  readTags,
  readTextStart,
  writeAvif,
} from "./sample-previews.ts";

/** The properties of a job that are read here. */
interface FinishedJob {
  readonly id: string;
  readonly status: string;
  readonly result: unknown;
  readonly started_at: string;
  readonly completed_at: string;
  readonly outputs: readonly {
    readonly filename: string;
    readonly content_type: string;
    readonly bytes: number;
    readonly url: string;
  }[];
}

export interface ServiceAccess {
  readonly url: string;
  readonly apiKey: string;
}

const folder = join(projectFolder, "public", "samples");

/** Runs the sample of an operation and writes its outputs and its JSON file, in place of older ones. */
export async function recordSample(operation: Operation, service: ServiceAccess): Promise<void> {
  const { id, sample } = operation;
  const job = await runTypicalJob(operation, service);
  await removeOutputs(id);
  const outputs = [];
  for (const [index, { filename, content_type, bytes, url }] of job.outputs.entries()) {
    const number = index === 0 ? "" : `-${index + 1}`;
    const file = `outputs/${id.replace("/", "-")}${number}${extname(filename)}`;
    const response = await fetch(url);
    await writeFile(join(folder, file), Buffer.from(await response.arrayBuffer()));
    outputs.push({ file, content_type, bytes, ...(await previewOf(file, operation)) });
  }
  const inputs = [];
  for (const name of sample.inputs) {
    const file = `inputs/${name}`;
    const { length: bytes } = await readFile(join(folder, file));
    inputs.push({ file, bytes, ...(await previewOf(file, operation)) });
  }
  const record = {
    operation: id,
    inputs,
    files: sample.files,
    params: sample.params,
    outputs,
    result: job.result,
    job: withoutSignatures(job),
    took_ms: durationOf(job),
  };
  await writeRecord(id, record);
}

/** The part of a sample's JSON file that is read here. */
interface SampleRecord {
  readonly inputs: readonly RecordedFile[];
  readonly outputs: readonly RecordedFile[];
}

interface RecordedFile {
  /** The path of the file in `public/samples`. */
  readonly file: string;
  readonly bytes: number;
  readonly content_type?: string;
  readonly poster?: string;
  readonly preview?: string;
}

/** Makes the previews of the files of a recorded sample again, in place of older ones. */
export async function recordPreviews(operation: Operation): Promise<void> {
  const { id } = operation;
  const record = await readRecord(id);
  if (!record) return;
  await removePreviews([...record.inputs, ...record.outputs]);
  const renew = async ({ file, bytes, content_type }: RecordedFile) => ({
    file,
    ...(content_type === undefined ? {} : { content_type }),
    bytes,
    ...(await previewOf(file, operation)),
  });
  const inputs = [] as object[];
  const outputs = [] as object[];
  for (const input of record.inputs) inputs.push(await renew(input));
  for (const output of record.outputs) outputs.push(await renew(output));
  await writeRecord(id, { ...record, inputs, outputs });
}

async function readRecord(id: string): Promise<SampleRecord | undefined> {
  const text = await readFile(join(projectFolder, samplePath(id)), "utf8").catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

async function writeRecord(id: string, record: object): Promise<void> {
  const path = join(projectFolder, samplePath(id));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(record, null, 2)}\n`);
}

/** The job of median duration of three: the first one finds no warm engine. */
async function runTypicalJob(operation: Operation, service: ServiceAccess): Promise<FinishedJob> {
  const jobs: FinishedJob[] = [];
  while (jobs.length < 3) jobs.push(await runSample(operation, service));
  const [, median] = jobs.sort((left, right) => durationOf(left) - durationOf(right));
  if (!median) throw new Error("no job was run");
  return median;
}

/** The duration of a job in milliseconds. */
function durationOf(job: FinishedJob): number {
  return Date.parse(job.completed_at) - Date.parse(job.started_at);
}

/** Runs the sample of an operation and waits for its job. Throws if it does not complete. */
export async function runSample(
  { id, sample }: Operation,
  service: ServiceAccess,
): Promise<FinishedJob> {
  const form = new FormData();
  for (const [name, value] of Object.entries(sample.params)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  for (const name of sample.inputs) form.append("file", await openInput(name), name);
  for (const [part, name] of Object.entries(sample.files)) {
    form.append(part, await openInput(name), name);
  }
  const response = await fetch(`${service.url}/v1/${id}`, {
    method: "POST",
    headers: { "X-API-Key": service.apiKey, Prefer: "wait=60" },
    body: form,
  });
  // The API's response is a job, or an error without a status.
  const job = (await response.json()) as FinishedJob;
  if (job.status === "completed") return job;
  throw new StartError(`${id}: ${response.status} ${JSON.stringify(job)}`);
}

async function openInput(name: string): Promise<Blob> {
  return new Blob([await readFile(join(folder, "inputs", name))]);
}

/** The job with URLs as they are at any installation, without their signatures. */
function withoutSignatures(job: FinishedJob): FinishedJob {
  const outputs = job.outputs.map((output) => {
    const { pathname } = new URL(output.url);
    return { ...output, url: `{{baseUrl}}${pathname}?…` };
  });
  return { ...job, outputs };
}

/** Deletes the files that the last recording of an operation has made. */
async function removeOutputs(id: string): Promise<void> {
  await mkdir(join(folder, "outputs"), { recursive: true });
  const previous = await readRecord(id);
  if (!previous) return;
  for (const { file } of previous.outputs) await rm(join(folder, file), { force: true });
  await removePreviews(previous.outputs);
}

/**
 * Deletes the pictures of files, also those of inputs, which the next operation that uses the input
 * finds again.
 */
async function removePreviews(files: readonly RecordedFile[]): Promise<void> {
  for (const picture of files.flatMap(({ poster, preview }) => [poster, preview])) {
    // Some posters are inputs themselves.
    if (picture && isPreview(picture)) await rm(join(folder, picture), { force: true });
  }
}

const isPreview = (file: string) => /\.(poster|preview)\.avif$/.test(file);

/** What the site shows of a file next to the file, or instead of it: a poster, a waveform or tags. */
async function previewOf(file: string, { sample }: Operation): Promise<Record<string, unknown>> {
  const path = join(folder, file);
  if (sample.shows === "tags") return { tags: await readTags(path) };
  if (/\.(mp3|flac|wav|m4a|ogg|opus|aac)$/.test(file)) return { peaks: await readPeaks(path) };
  if (file.endsWith(".pdf") && (await needsPassword(path))) return {};
  if (/\.(pdf|mp4|webm|mov|mkv)$/.test(file)) return { poster: await posterOf(file) };
  if (/\.(txt|md|srt|vtt|ass|csv|html)$/.test(file)) return { text: await readTextStart(path) };
  if (/\.(jpg|png|webp)$/.test(file)) return makePreview(file);
  return file.endsWith(".zip") ? { entries: await readEntries(path) } : {};
}

/** A picture below this size is shown as it is. */
const minPreviewedBytes = 20_000;

/** An AVIF copy of a picture, if it saves much. */
async function makePreview(file: string): Promise<{ preview?: string }> {
  const path = join(folder, file);
  const preview = file.replace(/\.\w+$/, ".preview.avif");
  const target = join(folder, preview);
  const { size } = await stat(path);
  if (size < minPreviewedBytes || (await isAnimated(path))) return {};
  if (!existsSync(target)) await writeAvif(path, target);
  if ((await stat(target)).size < size * 0.7) return { preview };
  await rm(target);
  return {};
}

/** The poster of an input is shared by the operations that use the input. */
async function posterOf(file: string): Promise<string> {
  const poster = file.replace(/\.\w+$/, ".poster.avif");
  if (!existsSync(join(folder, poster))) await drawPoster(join(folder, file), join(folder, poster));
  return poster;
}
