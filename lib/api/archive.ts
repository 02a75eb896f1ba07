import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { JobOutput } from "#lib/db/schema/jobs.ts";
import { log } from "#lib/log.ts";
import { storage } from "#lib/storage/index.ts";
import type { KeyedContext } from "./http/route.ts";
import { requireOutputs } from "./outputs.ts";
import { requireJob } from "./read-jobs.ts";

/** `GET /v1/jobs/{id}/archive`: all outputs as one ZIP, streamed as it is made. */
export async function answerArchive(context: KeyedContext): Promise<Response> {
  const job = await requireJob(context);
  const outputs = requireOutputs(job);
  const zip = new ZipFile();
  const body = new PassThrough();
  zip.outputStream.pipe(body);
  // A download that breaks off is the only way left to say that something is wrong.
  zip.on("error", (error: Error) => {
    log.error({ err: error, job: job.id }, "an archive could not be finished");
    body.destroy(error);
  });
  const names = new Set<string>();
  for (const output of outputs) {
    // Media is compressed already; stored as it is, the archive costs no time.
    const options = { compress: false, size: output.bytes };
    zip.addReadStreamLazy(uniqueName(output, names), options, (done) => {
      storage()
        .read(output.key)
        .then((stream) => done(null, stream))
        .catch((error) => done(error, new PassThrough()));
    });
  }
  zip.end();
  return new Response(toWeb(body), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${job.id}.zip"`,
    },
  });
}

function toWeb(stream: Readable): ReadableStream {
  // Node's and the DOM's types of the same web stream differ in name only.
  return Readable.toWeb(stream) as ReadableStream;
}

/** `a.png`, and `a (2).png` for a second output of that name. */
function uniqueName({ filename }: JobOutput, taken: Set<string>): string {
  const dot = filename.lastIndexOf(".");
  const [stem, extension] = [filename.slice(0, dot), filename.slice(dot)];
  let name = filename;
  for (let count = 2; taken.has(name); count++) name = `${stem} (${count})${extension}`;
  taken.add(name);
  // A name may be hostile: in an archive it must not lead out of it.
  return name.replaceAll(/[/\\]/g, "_");
}
