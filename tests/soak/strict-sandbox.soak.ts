import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { makeOperationSamples } from "#tests/samples/catalogue-samples.ts";
import { startTranscriptionServer } from "#tests/servers/transcription.ts";
import { ApiClient } from "#tests/service/api-client.ts";
import type { UploadPart } from "#tests/service/client.ts";
import { startStack } from "#tests/service/stack.ts";
import { restrictedPod } from "#tests/support/without-namespaces.ts";
import { filterById } from "./filter-by-id.ts";

/**
 * Runs every operation on its sample over HTTP, on a service in a restricted pod, where engines run at the
 * level `strict`. `OPERATIONS`: only ids that contain one of these words, separated by commas.
 */

const metricsToken = "token-of-the-operator";
const folder = await mkdtemp(join(tmpdir(), "mediamill-strict-"));
// Outside of the pod, whose user has no name here, which PostgreSQL needs.
const database = await startDatabase(folder);
const variables = {
  DATABASE_URL: database.url,
  SANDBOX: "required",
  LOG_LEVEL: "warn",
  METRICS_TOKEN: metricsToken,
  TRANSCRIBE_URL: await startTranscriptionServer(),
};
const stack = await startStack(variables, () => restrictedPod);
const client = new ApiClient(stack.url, stack.apiKey);
const failures: string[] = [];

async function toPart(path: string): Promise<UploadPart> {
  return { bytes: await readFile(path), filename: basename(path) };
}

async function runExample(operation: Operation): Promise<void> {
  const { inputs, files } = await makeOperationSamples(operation);
  const form: Record<string, string | UploadPart | UploadPart[]> = {};
  for (const [name, value] of Object.entries(operation.example)) {
    form[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  for (const [part, { path }] of Object.entries(files)) form[part] = await toPart(path);
  form.file = await Promise.all(inputs.map(({ path }) => toPart(path)));
  const job = await client.finish(await client.postForm(`/v1/${operation.id}`, form));
  if (job.status !== "completed") failures.push(`${operation.id}: ${JSON.stringify(job)}`);
}

const startedAt = performance.now();
const chosen = filterById(operations, process.env.OPERATIONS);
try {
  const headers = { Authorization: `Bearer ${metricsToken}` };
  const readiness = await (await fetch(`${stack.url}/readyz`, { headers })).json();
  if (readiness.sandbox !== "strict") throw new Error(JSON.stringify(readiness));
  for (const operation of chosen) {
    await runExample(operation).catch((error) => failures.push(`${operation.id}: ${error}`));
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stdout.write(`strict: ${chosen.length} operations (${seconds} s)\n`);
  if (failures.length > 0) process.stdout.write(stack.output());
} finally {
  await stack.stop();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`${failures.join("\n")}\n`);
process.exit(failures.length > 0 ? 1 : 0);
