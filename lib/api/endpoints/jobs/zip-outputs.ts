import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { log } from "#lib/log.ts";
import { storage } from "#lib/storage/index.ts";
import { requireOutputs } from "./outputs-of-job.ts";

/** All outputs of a job as one ZIP, created while it is sent. */
export function zipOutputs(job: JobRow): Response {
  const outputs = requireOutputs(job);
  const zip = new ZipFile();
  const body = new PassThrough();
  zip.outputStream.pipe(body);
  // The response has started, so only a broken download can report the failure.
  zip.on("error", (error: Error) => {
    log.error({ err: error, job: job.id }, "archive failed");
    body.destroy(error);
  });
  const names = new Set<string>();
  for (const output of outputs) {
    // Media files are compressed already.
    const options = { compress: false, size: output.bytes };
    zip.addReadStreamLazy(uniqueName(output, names), options, (done) => {
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
      "Content-Disposition": `attachment; filename="${job.id}.zip"`,
    },
  });
}

/** `a.png`, and `a (2).png` for a second output with that name. */
function uniqueName({ filename }: JobOutput, taken: Set<string>): string {
  const dot = filename.lastIndexOf(".");
  const [stem, extension] = [filename.slice(0, dot), filename.slice(dot)];
  let name = filename;
  for (let count = 2; taken.has(name); count++) name = `${stem} (${count})${extension}`;
  taken.add(name);
  // A hostile name must not point outside of the archive's folder.
  return name.replaceAll(/[/\\]/g, "_");
}
