import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Operation } from "#lib/operations/define.ts";
import { makeOperationSamples } from "#tests/samples/catalogue-samples.ts";
import type { ApiClient } from "#tests/service/http/api-client.ts";
import type { UploadPart } from "#tests/service/http/client.ts";

async function toPart(path: string): Promise<UploadPart> {
  return { bytes: await readFile(path), filename: basename(path) };
}

/** Runs an operation with the parameters of its example on its sample. Returns what is wrong with its job. */
async function runExample(client: ApiClient, operation: Operation): Promise<string | undefined> {
  const { inputs, files } = await makeOperationSamples(operation);
  const form: Record<string, string | UploadPart | UploadPart[]> = {};
  for (const [name, value] of Object.entries(operation.example)) {
    form[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  for (const [part, { path }] of Object.entries(files)) form[part] = await toPart(path);
  form.file = await Promise.all(inputs.map(({ path }) => toPart(path)));
  const job = await client.finish(await client.postForm(`/v1/${operation.id}`, form));
  return job.status === "completed" ? undefined : JSON.stringify(job);
}

/** Runs each of `operations` on its sample over HTTP, and returns a line for each that failed. */
export async function runExamples(
  client: ApiClient,
  operations: readonly Operation[],
): Promise<string[]> {
  const failures: string[] = [];
  for (const operation of operations) {
    const failure = await runExample(client, operation).catch((error) => String(error));
    if (failure !== undefined) failures.push(`${operation.id}: ${failure}`);
  }
  return failures;
}
