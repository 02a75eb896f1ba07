import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { RangeHost } from "#tests/servers/range-host.ts";
import { startStack } from "#tests/service/stack.ts";
import { type BenchCase, measureCase, reportedRows, reportRows } from "./measure/measure.ts";
import { makeRow } from "./report/rows.ts";

/**
 * Operations that read an hour of video by URL in part, against ffmpeg and ffprobe, which seek over
 * HTTP. Also the share of the file that the service reads.
 */

const run = promisify(execFile);

/** What the service may read, and how long it may take. */
const limits = {
  clip: { maxBytes: (bytes: number) => 0.1 * bytes, limit: { factor: 1.1, addedMs: 300 } },
  inspect: { maxBytes: () => 16e6, limit: { factor: 0, addedMs: 300 } },
};

/** The videos are kept between runs, because encoding them takes longer than the measurement. */
const folder = join(tmpdir(), "mediamill-hour");
const seconds = 3600;
const partSeconds = 20;

/** An hour of noisy video, of about 940 MB: one encoded part, repeated. */
async function makeHour(name: string, ...muxer: string[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const part = join(folder, "part.mp4");
  const path = join(folder, name);
  if (!existsSync(part)) {
    const video = `testsrc2=s=1280x720:r=25:d=${partSeconds},noise=alls=12:allf=t`;
    await run("ffmpeg", [
      "-v",
      "error",
      "-f",
      "lavfi",
      "-i",
      video,
      "-f",
      "lavfi",
      "-i",
      `sine=d=${partSeconds}`,
      "-c:v",
      "libx264",
      "-preset",
      "veryfast",
      "-b:v",
      "1950k",
      "-maxrate",
      "1950k",
      "-bufsize",
      "2M",
      "-g",
      "50",
      "-pix_fmt",
      "yuv420p",
      "-c:a",
      "aac",
      part,
    ]);
  }
  if (!existsSync(path)) {
    const loops = `${Math.round(seconds / partSeconds) - 1}`;
    const copy = ["-stream_loop", loops, "-i", part, "-c", "copy", ...muxer];
    await run("ffmpeg", ["-v", "error", "-y", ...copy, path]);
  }
  return path;
}

const host = await RangeHost.start();
const stack = await startStack({ LOG_LEVEL: "warn", FETCH_ALLOW: `127.0.0.1:${host.port}` });
const output = join(await mkdtemp(join(tmpdir(), "mediamill-bench-")), "out.mp4");

async function post(operation: string, fields: Record<string, unknown>) {
  const headers = {
    "x-api-key": stack.apiKey,
    prefer: "wait=60",
    "content-type": "application/json",
  };
  const body = JSON.stringify(fields);
  const response = await fetch(`${stack.url}/v1/${operation}`, { method: "POST", body, headers });
  const job = (await response.json()) as { status: string; error: string };
  if (job.status !== "completed") throw new Error(`${operation}: ${response.status} ${job.error}`);
}

/** The clip as the service encodes it, by ffmpeg alone. */
function cut(url: string, start: number) {
  return run("ffmpeg", [
    "-v",
    "error",
    "-y",
    "-ss",
    `${start}`,
    "-i",
    url,
    "-t",
    "5",
    "-pix_fmt",
    "yuv420p",
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-crf",
    "18",
    "-c:a",
    "aac",
    "-movflags",
    "+faststart",
    output,
  ]);
}

interface Sides {
  /** Description of the bare engine. */
  readonly engine: string;
  readonly service: (url: string) => Promise<unknown>;
  readonly bare: (url: string) => Promise<unknown>;
  readonly limit: BenchCase["limit"];
  /** What one call may read. */
  readonly maxBytes: (fileBytes: number) => number;
}

/** Measures both sides, and what one call of the service reads. */
async function measure(name: string, path: string, sides: Sides) {
  const url = host.serve(path);
  await sides.service(url);
  const readBytes = host.sentBytes;
  const { engine, limit } = sides;
  const row = await measureCase({
    name,
    engine,
    limit,
    rounds: 5,
    service: () => sides.service(url),
    bare: () => sides.bare(url),
  });
  reportRows("partial", [row]);
  const max = Math.round(sides.maxBytes((await stat(path)).size) / 1e6);
  reportedRows.push(
    makeRow(name, "read by the service", "MB", readBytes / 1e6, { target: { max } }),
  );
}

try {
  const layouts = {
    "index last": await makeHour("last.mp4"),
    "index first": await makeHour("first.mp4", "-movflags", "+faststart"),
  };
  for (const [layout, path] of Object.entries(layouts)) {
    for (const start of [1800, undefined]) {
      const from = start === undefined ? "picked start" : "start given";
      const fields = start === undefined ? {} : { start };
      const sides = {
        engine: "ffmpeg -ss, over HTTP",
        service: (input: string) => post("video/preview-clip", { input, ...fields }),
        // The service's own choice of this video, a tenth of it.
        bare: (url: string) => cut(url, start ?? seconds / 10),
        ...limits.clip,
      };
      await measure(`preview-clip, 1 h, ${layout}, ${from}`, path, sides);
    }
    const sides = {
      engine: "ffprobe, over HTTP",
      service: (input: string) => post("pipeline/file-inspect", { input }),
      bare: (url: string) =>
        run("ffprobe", ["-v", "error", "-of", "json", "-show_format", "-show_streams", url]),
      ...limits.inspect,
    };
    await measure(`file-inspect, 1 h, ${layout}`, path, sides);
  }
} finally {
  await stack.stop();
  await host.close();
  await rm(join(output, ".."), { recursive: true, force: true });
}
