import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { StartError } from "#lib/supervisor/start-error.ts";
import { projectFolder } from "../setup/node24.mjs";
import { drawPoster, readPeaks } from "./sample-pictures.ts";

const execute = promisify(execFile);
const folder = join(projectFolder, "public", "samples");

/** What the site shows of each operation: a file of `public/samples/inputs` and parameters. */
const requests: readonly SampleRequest[] = [
  {
    operation: "document/html-to-pdf",
    input: "invoice.html",
    params: { page_size: "A4", margin: "2cm" },
  },
  { operation: "document/doc-to-pdf", input: "report.docx", params: {} },
  {
    operation: "image/watermark-text",
    input: "photo.jpg",
    params: { text: "© Mira Holm · 湖 2026", opacity: 0.85, font_size: 40, color: "#fff2d6" },
  },
  { operation: "image/sharpen", input: "photo.jpg", params: { sigma: 2 } },
  {
    operation: "video/overlay-text",
    input: "film.mp4",
    params: { text: "Lake at dusk", x: 36, y: 32, fontsize: 40, color: "#fff2d6" },
  },
  { operation: "video/preview-clip", input: "film.mp4", params: { duration: 3 } },
  { operation: "video/framerate", input: "film.mp4", params: { fps: 12 } },
  {
    operation: "audio/convert",
    input: "music.flac",
    params: { format: "mp3", bitrate: "128k" },
  },
  { operation: "audio/normalize", input: "music.flac", params: { target_lufs: -16 } },
  {
    operation: "pipeline/video-watermark",
    input: "film.mp4",
    files: { watermark: "logo.png" },
    params: { position: "top-right", scale: 0.12, opacity: 0.9 },
  },
  { operation: "pipeline/strip-metadata", input: "photo.jpg", params: {} },
  { operation: "pipeline/file-inspect", input: "film.mp4", params: {} },
];

interface SampleRequest {
  readonly operation: string;
  readonly input: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string | number>>;
}

/** The operation whose samples are told by the tags they have. */
const stripping = "pipeline/strip-metadata";

/** The parts of a job that are read here. */
interface FinishedJob {
  readonly status: string;
  readonly error: string | null;
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

/**
 * `npm run samples -- --url http://localhost:3000 --key mm_live_…`: has a running service make the
 * outputs that the site shows, and writes them and their list into `public/samples`.
 */
export async function makeSamples(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { url: { type: "string", default: "http://localhost:3000" }, key: { type: "string" } },
  });
  if (!values.key) throw new StartError("--key: an API key of the running service is needed");
  const outputs = join(folder, "outputs");
  await rm(outputs, { recursive: true, force: true });
  await mkdir(outputs, { recursive: true });
  const samples = [];
  for (const request of requests) {
    const job = await runTypically(request, values.url, values.key);
    const made = [];
    for (const output of job.outputs) {
      const extension = output.filename.split(".").pop();
      const file = `${request.operation.replace("/", "-")}.${extension}`;
      const answer = await fetch(output.url);
      await writeFile(join(outputs, file), Buffer.from(await answer.arrayBuffer()));
      const { content_type, bytes } = output;
      made.push({ file: `outputs/${file}`, content_type, bytes, ...(await picture(file)) });
    }
    samples.push({
      operation: request.operation,
      input: { file: `inputs/${request.input}`, ...(await describeInput(request)) },
      files: request.files ?? {},
      params: request.params,
      outputs: made,
      result: job.result,
      job: showJob(job),
      took_ms: measure(job),
    });
    process.stdout.write(`${request.operation}\n`);
  }
  await writeFile(join(folder, "samples.json"), `${JSON.stringify(samples, null, 2)}\n`);
}

/** Of three jobs the one that took neither the longest nor the shortest: the first finds nothing warm. */
async function runTypically(request: SampleRequest, url: string, key: string) {
  const jobs = [];
  for (let round = 0; round < 3; round++) jobs.push(await run(request, url, key));
  const [, middle] = jobs.sort((one, other) => measure(one) - measure(other));
  if (!middle) throw new StartError(`${request.operation} was not run`);
  return middle;
}

/** From its start to its end, in milliseconds. */
function measure(job: FinishedJob): number {
  return Date.parse(job.completed_at) - Date.parse(job.started_at);
}

/** The job without the signatures of its addresses, and they at any installation. */
function showJob(job: FinishedJob) {
  const outputs = job.outputs.map((output) => {
    const { pathname } = new URL(output.url);
    return { ...output, url: `{{baseUrl}}${pathname}?…` };
  });
  return { ...job, outputs };
}

async function run(request: SampleRequest, url: string, key: string): Promise<FinishedJob> {
  const form = new FormData();
  for (const [name, value] of Object.entries(request.params)) form.append(name, String(value));
  form.append("file", await openInput(request.input), request.input);
  for (const [part, name] of Object.entries(request.files ?? {}))
    form.append(part, await openInput(name), name);
  const answer = await fetch(`${url}/v1/${request.operation}`, {
    method: "POST",
    headers: { "X-API-Key": key, Prefer: "wait=60" },
    body: form,
  });
  // Our own API's answer.
  const job = (await answer.json()) as FinishedJob;
  if (job.status !== "completed")
    throw new StartError(`${request.operation}: ${answer.status} ${JSON.stringify(job)}`);
  return job;
}

async function openInput(name: string): Promise<Blob> {
  return new Blob([await readFile(join(folder, "inputs", name))]);
}

async function describeInput({ input: name, operation }: SampleRequest) {
  const { size } = await openInput(name);
  const path = join(folder, "inputs", name);
  const tags = operation === stripping ? { tags: await readTags(path) } : {};
  const peaks = name.endsWith(".flac") ? { peaks: await readPeaks(path) } : {};
  return { bytes: size, ...tags, ...peaks };
}

/** What stands for a file where it is not played: a poster, a wave form, its tags. */
async function picture(file: string): Promise<Record<string, unknown>> {
  const path = join(folder, "outputs", file);
  if (/\.(pdf|mp4)$/.test(file)) return { poster: `outputs/${await drawPoster(path)}` };
  if (/\.(mp3|flac)$/.test(file)) return { peaks: await readPeaks(path) };
  if (file.startsWith(stripping.replace("/", "-"))) return { tags: await readTags(path) };
  return {};
}

/** The tags that exiftool finds, those of the file itself aside. */
async function readTags(path: string): Promise<Record<string, string>> {
  const groups = ["-EXIF:all", "-XMP:all", "-IPTC:all"];
  const { stdout } = await execute("exiftool", ["-j", ...groups, path]);
  const [{ SourceFile: _, ...tags }] = JSON.parse(stdout);
  return tags;
}
