import type { Job } from "#lib/jobs/view/job.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import {
  type ClientRequest,
  startClients,
  type TestedClient,
} from "#tests/clients/tested-clients.ts";
import { makeOperationSamples } from "#tests/samples/catalogue-samples.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { startService } from "#tests/service/service.ts";
import { filterById } from "./filter-by-id.ts";

/**
 * Runs every operation on its sample through every client. `npm test` sends each sample by two of them.
 * `OPERATIONS`: only ids that contain one of these words, separated by commas.
 */

const { service, stop } = await startService();
const api = new ApiClient(service.url, service.apiKey);
const failures: string[] = [];

// Made before the first request, because a file must not change while a client reads it.
const requests: ClientRequest[] = [];
for (const operation of filterById(operations, process.env.OPERATIONS)) {
  const { inputs, files } = await makeOperationSamples(operation);
  const paths = Object.entries(files).map(([part, { path }]) => [part, path]);
  requests.push({
    operation,
    params: operation.example,
    inputs: inputs.map(({ path }) => path),
    files: Object.fromEntries(paths),
  });
}

async function runAll(client: TestedClient): Promise<void> {
  const startedAt = performance.now();
  for (const request of requests) {
    const problem = await client.run(request).then(findProblem, (error: unknown) => `${error}`);
    if (problem) failures.push(`${client.name}, ${request.operation.id}: ${problem}`);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stdout.write(`${client.name}: ${requests.length} operations (${seconds} s)\n`);
}

async function findProblem(id: string): Promise<string | undefined> {
  const job = (await (await api.request(`/v1/jobs/${id}`)).json()) as Job;
  if (job.status !== "completed" || job.outputs.length === 0) return JSON.stringify(job);
  const { length } = await api.download(job);
  return length === job.outputs[0]?.bytes ? undefined : `the output has ${length} bytes`;
}

try {
  const clients = await startClients(service);
  await Promise.all(clients.map(runAll));
  for (const client of clients) await client.close();
} finally {
  await stop();
}
if (failures.length > 0) throw new Error(failures.join("\n"));
