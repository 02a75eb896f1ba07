import { ApiClient } from "#tests/service/http/api-client.ts";
import { measureWebMemory, uploadZeros } from "#tests/service/http/large-upload.ts";
import { runAdmin } from "#tests/service/run-admin.ts";
import { startStack } from "#tests/service/stack.ts";

/** Uploads a file of 2 GB, the limit of the plan pro. The web process must use less than 350 MB of memory. */

const bytes = 2e9;
const limit = 350e6;

const stack = await startStack({ LOG_LEVEL: "warn" });
try {
  const email = "pro@example.com";
  const account = await runAdmin(
    stack.dataDir,
    "account",
    "create",
    "--email",
    email,
    "--plan",
    "pro",
  );
  const client = new ApiClient(stack.url, account.api_key ?? "");
  const { result, before, peak } = await measureWebMemory(stack.dataDir, () =>
    uploadZeros(client, bytes),
  );
  const job = await client.finish(result);
  if (job.status !== "completed" || job.input.bytes !== bytes) throw new Error(JSON.stringify(job));
  const [beforeText, peakText] = [before, peak].map((value) => `${Math.round(value / 1e6)} MB`);
  process.stdout.write(`2 GB uploaded; web process: ${beforeText} before, peak ${peakText}\n`);
  if (peak >= limit) throw new Error(`the web process grew to ${peakText}`);
} finally {
  await stack.stop();
}
