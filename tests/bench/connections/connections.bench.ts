import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startS3Store } from "#tests/servers/storage/user-stores.ts";
import { startStack } from "#tests/service/stack.ts";
import { makeLargeVideo } from "../measure/large-video.ts";
import { measureCase, reportedRows, reportRows } from "../measure/measure.ts";
import { makeRow } from "../report/rows.ts";

/**
 * A large video from bucket to bucket: `pipeline/strip-metadata` with a connection as source and as target, and
 * rclone, which copies it from the bucket to the disk and back. Both use the same server, s3rver.
 */

const run = promisify(execFile);
const wantedBytes = 965_000_000;
const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
const [video, copied] = ["video", "copied"].map((name) => join(folder, `${name}.mp4`)) as [
  string,
  string,
];
await makeLargeVideo(folder, video, wantedBytes);
const { size } = await stat(video);

const store = await startS3Store();
const { bucket, endpoint, access_key_id: key, secret_access_key: secret } = store.fields;
const stack = await startStack({
  LOG_LEVEL: "warn",
  FETCH_ALLOW: `connections=${new URL(String(endpoint)).host}`,
});

/** The store as rclone names it. A file is sent by one request, as the service does. */
const remote = [
  ":s3,provider=Other",
  `endpoint="${endpoint}"`,
  `access_key_id=${key}`,
  `secret_access_key=${secret}`,
  "upload_cutoff=4G:",
].join(",");

/** rclone cannot load the certificates that some machines name for the clients of AWS. */
const { AWS_CA_BUNDLE: _bundle, ...environment } = process.env;

const copy = (from: string, to: string) =>
  run("rclone", ["copyto", "--ignore-times", from, to], { env: environment });

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${stack.url}/v1/${path}`, {
    method: "POST",
    headers: {
      "x-api-key": stack.apiKey,
      prefer: "wait=60",
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** The bytes of files of jobs in the data folder. */
async function keptBytes(): Promise<number> {
  const entries = await readdir(stack.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /job_/.test(entry.parentPath));
  const sizes = files.map(async ({ parentPath, name }) => {
    const found = await stat(join(parentPath, name)).catch(() => undefined);
    return found?.size ?? 0;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

try {
  await copy(video, `${remote}${bucket}/in.mp4`);
  const { id } = await post("connections", { type: "s3", name: "Store", ...store.fields });
  const output = { connection: id, path: "out.mp4", overwrite: true };
  const strip = async () => {
    const job = await post("pipeline/strip-metadata", { input: `${id}:in.mp4`, output });
    if (job.status !== "completed") throw new Error(JSON.stringify(job));
  };
  const row = await measureCase({
    name: `strip-metadata, ${Math.round(size / 1e6)} MB MP4 from bucket to bucket`,
    engine: "rclone copyto, from the bucket and back",
    rounds: 3,
    limit: { factor: 1.5 },
    service: strip,
    bare: async () => {
      await copy(`${remote}${bucket}/in.mp4`, copied);
      await copy(copied, `${remote}${bucket}/back.mp4`);
    },
  });
  reportRows("connections", [row]);
  // Files are removed after the end of their job is stored.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const name = "strip-metadata, left in DATA_DIR";
  reportedRows.push(makeRow(name, "service", "bytes", await keptBytes(), { target: { max: 0 } }));
} finally {
  await stack.stop();
  await store.close();
  await rm(folder, { recursive: true, force: true });
}
