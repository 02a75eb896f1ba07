import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { startStack } from "#tests/service/stack.ts";
import { makeLargeVideo } from "./measure/large-video.ts";
import { measureCase, reportRows } from "./measure/measure.ts";

/**
 * A large video by upload: `pipeline/strip-metadata` through the service, from the first byte of the request
 * to the finished job, and a copy with SHA-256 followed by a stream copy of ffmpeg.
 */

const run = promisify(execFile);
const wantedBytes = 940_000_000;
const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
const [video, copied, remuxed] = ["video", "copied", "remuxed"].map((name) =>
  join(folder, `${name}.mp4`),
) as [string, string, string]; // one path for each name

await makeLargeVideo(folder, video, wantedBytes);
const { size: videoBytes } = await stat(video);
const megabytes = Math.round(videoBytes / 1e6);

const options = { highWaterMark: 1024 * 1024 };

async function copyWithDigest(): Promise<void> {
  const hash = createHash("sha256");
  const digest = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(createReadStream(video, options), digest, createWriteStream(copied, options));
  hash.digest("hex");
}

async function remux(): Promise<void> {
  await run("ffmpeg", ["-v", "error", "-y", "-i", copied, "-c", "copy", remuxed]);
}

const stack = await startStack({ LOG_LEVEL: "warn" });

let jobId = "";

/** Sends the video in large writes, so that the client takes little of the machine's time. */
async function strip(): Promise<void> {
  const boundary = "large-file-boundary";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="video.mp4"\r\nContent-Type: video/mp4\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const request = httpRequest(`${stack.url}/v1/pipeline/strip-metadata`, {
    method: "POST",
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": head.length + videoBytes + tail.length,
      "x-api-key": stack.apiKey,
      prefer: "wait=60",
    },
  });
  const responded = once(request, "response");
  request.write(head);
  await pipeline(createReadStream(video, options), request, { end: false });
  request.end(tail);
  const [response] = (await responded) as [IncomingMessage]; // the event's only argument
  const job = (await json(response)) as { id: string; status: string; error: string };
  jobId = job.id;
  if (job.status !== "completed") throw new Error(`${response.statusCode} ${job.error}`);
}

/**
 * Otherwise the files of all rounds would fill the page cache. On a virtual machine, memory that it has not
 * used before can cost several times more than the copy of its bytes. The other side replaces its files.
 */
async function deleteJob(): Promise<void> {
  const headers = { "x-api-key": stack.apiKey };
  const { ok, status } = await fetch(`${stack.url}/v1/jobs/${jobId}`, {
    method: "DELETE",
    headers,
  });
  if (!ok) throw new Error(`deleting the job failed: ${status}`);
}

try {
  const row = await measureCase({
    name: `strip-metadata, ${megabytes} MB MP4 by upload`,
    engine: "copy with SHA-256 + ffmpeg -c copy",
    rounds: 5,
    limit: { factor: 1.5 },
    service: strip,
    cleanUp: deleteJob,
    bare: async () => {
      await copyWithDigest();
      await remux();
    },
  });
  reportRows("large", [row]);
} finally {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
