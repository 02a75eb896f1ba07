import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import type { FileInput, Job, Mediamill, OperationId, RunOptions } from "../../../sdk/src/index.ts";
import type { RequestStep, RunRequest } from "./request.ts";

/** Creates the job of a task. */
export async function createJob(
  client: Mediamill,
  request: RunRequest,
  inputs: readonly FileInput[],
  options: Pick<RunOptions, "onProgress">,
): Promise<Job> {
  const { id, steps, fields } = request;
  if (id === "chain") return createChain(client, request, inputs[0] ?? "", options);
  const [{ fields: params, files } = { fields: {}, files: {} }] = steps;
  const many = request.inputs.max > 1 ? { inputs } : {};
  const main = request.inputs.max === 1 ? { input: inputs[0] } : many;
  const sent = { ...main, ...(await openFiles(files)), ...params, ...fields };
  // The catalogue is known only now: the service checks the parameters.
  return client.create(id as OperationId, sent as never, options);
}

async function createChain(
  client: Mediamill,
  { steps, fields }: RunRequest,
  input: FileInput,
  options: Pick<RunOptions, "onProgress">,
): Promise<Job> {
  let chain = client.chain(input);
  for (const step of steps) {
    const params = { ...step.fields, ...(await uploadFiles(client, step)) };
    chain = chain.add(step.operation.id as "image/flip", params as never);
  }
  return chain.create({ ...fields, ...options });
}

/** The ids of further files, by the path: each is uploaded once for all jobs of the call. */
const uploads = new Map<string, Promise<string>>();

/** A chain has a form part for its input only. Its further files are uploads. */
async function uploadFiles(
  client: Mediamill,
  { files }: RequestStep,
): Promise<Record<string, string>> {
  const ids = Object.entries(files).map(async ([name, path]) => {
    const sent = uploads.get(path) ?? openFile(path).then((file) => uploadId(client, file));
    uploads.set(path, sent);
    // The next file tries again.
    sent.catch(() => uploads.delete(path));
    return [`${name}_url`, await sent] as const;
  });
  return Object.fromEntries(await Promise.all(ids));
}

async function uploadId(client: Mediamill, file: FileInput): Promise<string> {
  return (await client.uploads.create(file)).id;
}

async function openFiles(files: RequestStep["files"]): Promise<Record<string, FileInput>> {
  const opened = Object.entries(files).map(
    async ([name, path]) => [name, await openFile(path)] as const,
  );
  return Object.fromEntries(await Promise.all(opened));
}

async function openFile(path: string): Promise<FileInput> {
  return { file: await openAsBlob(path), filename: basename(path) };
}
