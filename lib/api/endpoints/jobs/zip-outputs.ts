import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { hasFiles } from "#lib/jobs/view/has-files.ts";
import { log } from "#lib/log.ts";
import { storage } from "#lib/storage/index.ts";
import { exportedMessage, requireOutputs } from "./outputs-of-job.ts";

/** All outputs of a job as one ZIP, created while it is sent. */
export function zipOutputs(job: JobRow): Response {
  const outputs = requireOutputs(job);
  if (outputs.some(({ isRemoved }) => isRemoved)) throw new RequestError("gone", exportedMessage);
  return sendZip([{ folder: "", outputs }], job.id);
}

/** The outputs of several jobs as one ZIP, with a folder for each job. Jobs without files are left out. */
export function zipJobs(jobs: readonly JobRow[]): Response {
  return zipFolders(jobs, (job) => `${job.id}/`, "jobs");
}

/** The outputs of a batch as one ZIP, in the folders of their inputs: the job's metadata has the `path` of its input. */
export function zipBatch(jobs: readonly JobRow[]): Response {
  return zipFolders(jobs, ({ metadata: { path = "" } }) => safeFolder(path), "results");
}

function zipFolders(
  jobs: readonly JobRow[],
  folderOf: (job: JobRow) => string,
  name: string,
): Response {
  const folders = jobs
    .filter((job) => job.status === "completed" && hasFiles(job) && job.outputs.length > 0)
    .map((job) => ({
      folder: folderOf(job),
      outputs: job.outputs.filter(({ isRemoved }) => !isRemoved),
    }))
    .filter(({ outputs }) => outputs.length > 0);
  if (folders.length > 0) return sendZip(folders, name);
  throw new RequestError("conflict", "None of these jobs has output files.");
}

/** The folder of a path that a caller gave: `photos/2026/`, or empty. It cannot lead out of the archive. */
function safeFolder(path: string): string {
  const names = path.replaceAll("\\", "/").split("/").slice(0, -1);
  const safe = names.filter((name) => name !== "" && name !== "." && name !== "..");
  return safe.map((name) => `${name.replaceAll(":", "_")}/`).join("");
}

interface ZipFolder {
  /** The folder in the archive: empty, or a name with a slash at the end. */
  readonly folder: string;
  readonly outputs: readonly JobOutput[];
}

function sendZip(folders: readonly ZipFolder[], name: string): Response {
  const zip = new ZipFile();
  const body = new PassThrough();
  zip.outputStream.pipe(body);
  // The response has started, so only a broken download can report the failure.
  zip.on("error", (error: Error) => {
    log.error({ err: error, archive: name }, "archive failed");
    body.destroy(error);
  });
  const names = new Set<string>();
  const files = folders.flatMap(({ folder, outputs }) =>
    outputs.map((output) => ({ folder, output })),
  );
  for (const { folder, output } of files) {
    // Media files are compressed already.
    const options = { compress: false, size: output.bytes };
    zip.addReadStreamLazy(uniqueName(folder, output, names), options, (done) => {
      storage()
        .read(output.key)
        .then((stream) => done(null, stream))
        .catch((error) => done(error, new PassThrough()));
    });
  }
  zip.end();
  // Node and the DOM type the same web stream differently.
  return new Response(Readable.toWeb(body) as ReadableStream, {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${name}.zip"`,
    },
  });
}

/** Makes a name unique: `a.png`, and `a (2).png` for a second output with that name. */
function uniqueName(folder: string, { filename }: JobOutput, taken: Set<string>): string {
  const dot = filename.lastIndexOf(".");
  const stem = filename.slice(0, dot);
  const extension = filename.slice(dot);
  // A hostile name must not point outside of the archive's folder.
  const pathOf = (name: string) => folder + name.replaceAll(/[/\\]/g, "_");
  let path = pathOf(filename);
  for (let count = 2; taken.has(path); count++) path = pathOf(`${stem} (${count})${extension}`);
  taken.add(path);
  return path;
}
