import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { Operation } from "#lib/operations/define.ts";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import { projectFolder } from "../setup/node24.mjs";
import { samplePath } from "./render-catalogue.ts";
import {
  drawPoster,
  needsPassword,
  readEntries,
  readPeaks,
  readTags,
  readTextStart,
} from "./sample-previews.ts";

/** The properties of a job that are read here. */
interface FinishedJob {
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
  const path = join(projectFolder, samplePath(id));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(record, null, 2)}\n`);
}

/** The job of median duration of three: the first one finds no warm engine. */
async function runTypicalJob(operation: Operation, service: ServiceAccess): Promise<FinishedJob> {
  const jobs: FinishedJob[] = [];
  while (jobs.length < 3) jobs.push(await runJob(operation, service));
  const [, median] = jobs.sort((left, right) => durationOf(left) - durationOf(right));
  if (!median) throw new Error("no job was run");
  return median;
}

/** In milliseconds. */
function durationOf(job: FinishedJob): number {
  return Date.parse(job.completed_at) - Date.parse(job.started_at);
}

async function runJob({ id, sample }: Operation, service: ServiceAccess): Promise<FinishedJob> {
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
  const text = await readFile(join(projectFolder, samplePath(id)), "utf8").catch(() => undefined);
  if (text === undefined) return;
  const previous: { outputs: { file: string; poster?: string }[] } = JSON.parse(text);
  for (const { file, poster } of previous.outputs) {
    await rm(join(folder, file), { force: true });
    if (poster) await rm(join(folder, poster), { force: true });
  }
}

/** What the site shows of a file next to the file, or instead of it: a poster, a waveform or tags. */
async function previewOf(file: string, { sample }: Operation): Promise<Record<string, unknown>> {
  const path = join(folder, file);
  if (sample.shows === "tags") return { tags: await readTags(path) };
  if (/\.(mp3|flac|wav|m4a|ogg|opus|aac)$/.test(file)) return { peaks: await readPeaks(path) };
  if (file.endsWith(".pdf") && (await needsPassword(path))) return {};
  if (/\.(pdf|mp4|webm|mov|mkv)$/.test(file)) return { poster: await posterOf(file) };
  if (/\.(txt|md|srt|vtt|ass|csv|html)$/.test(file)) return { text: await readTextStart(path) };
  return file.endsWith(".zip") ? { entries: await readEntries(path) } : {};
}

/** The poster of an input is shared by the operations that use the input. */
async function posterOf(file: string): Promise<string> {
  const poster = file.replace(/\.\w+$/, ".poster.webp");
  if (!existsSync(join(folder, poster))) await drawPoster(join(folder, file), join(folder, poster));
  return poster;
}
