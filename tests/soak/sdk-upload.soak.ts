import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Mediamill } from "#packages/sdk/src/index.ts";
import { startStack } from "#tests/service/stack.ts";

/** Uploads a file of 300 MB with the SDK and follows the progress. Its memory must not grow with the file. */

const bytes = 300e6;
const limit = 150e6;

const folder = await mkdtemp(join(tmpdir(), "mediamill-upload-"));
const stack = await startStack({ LOG_LEVEL: "warn" });
try {
  const path = join(folder, "zeros.bin");
  const file = await open(path, "w");
  await file.truncate(bytes);
  await file.close();
  const mm = new Mediamill({ baseUrl: stack.url, apiKey: stack.apiKey });
  const percents: number[] = [];
  const before = process.memoryUsage.rss();
  let peak = before;
  const job = await mm.run(
    "pipeline/file-inspect",
    { input: path },
    {
      onProgress: ({ phase, percent }) => {
        peak = Math.max(peak, process.memoryUsage.rss());
        if (phase === "upload") percents.push(percent);
      },
    },
  );
  if (job.result.bytes !== bytes) throw new Error(JSON.stringify(job.data));
  const isSorted = percents.every((percent, index) => percent >= (percents[index - 1] ?? 0));
  if (!isSorted || percents.length < 100 || percents.at(-1) !== 100) {
    throw new Error(`wrong progress: ${percents.join(" ")}`);
  }
  const grown = Math.round((peak - before) / 1e6);
  process.stdout.write(`300 MB uploaded: ${percents.length} reports, ${grown} MB more memory\n`);
  if (peak - before > limit) throw new Error(`the client grew by ${grown} MB`);
} finally {
  await stack.stop();
  await rm(folder, { recursive: true });
}
