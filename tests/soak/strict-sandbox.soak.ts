import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "#lib/operations/catalogue/index.ts";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { startTranscriptionServer } from "#tests/servers/transcription.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { startStack } from "#tests/service/stack.ts";
import { restrictedPod } from "#tests/support/sandbox/without-namespaces.ts";
import { filterById } from "./filter-by-id.ts";
import { runExamples } from "./run-examples.ts";

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

const startedAt = performance.now();
const chosen = filterById(operations, process.env.OPERATIONS);
try {
  const headers = { Authorization: `Bearer ${metricsToken}` };
  const readiness = await (await fetch(`${stack.url}/readyz`, { headers })).json();
  if (readiness.sandbox !== "strict") throw new Error(JSON.stringify(readiness));
  failures.push(...(await runExamples(client, chosen)));
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
