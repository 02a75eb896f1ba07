import { randomUUID } from "node:crypto";
import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type IPairedItemData,
  NodeOperationError,
} from "n8n-workflow";
import { buildRequest } from "./build-request.ts";
import { readField } from "./read-field.ts";
import { type Job, type JobOutput, request } from "./service.ts";

/** Creates jobs, waits for them, and downloads their outputs. */

type PairedItem = IPairedItemData | IPairedItemData[];

/** The longest time that one request waits, in seconds. */
const waitSeconds = 60;

type KeptOutput = JobOutput & { readonly url: string };

const isFinal = ({ status }: Job) => status !== "pending" && status !== "processing";

/** Creates a job from the fields of the node. Returns its items. */
export async function runJob(
  context: IExecuteFunctions,
  index: number,
  pairedItem: PairedItem,
): Promise<INodeExecutionData[]> {
  const { url, body } = await buildRequest(context, index);
  const waits = readField(context, "continueWhen", index) === "ended";
  const job = await request<Job>(context, index, {
    method: "POST",
    url,
    body,
    headers: {
      "Idempotency-Key": randomUUID(),
      ...(waits ? { Prefer: `wait=${waitSeconds}` } : {}),
    },
  });
  if (!waits) return [{ json: job, pairedItem }];
  return finishJob(context, index, job, pairedItem);
}

/** Waits for the end of the job. Throws if it failed. Returns an item for each output. */
export async function finishJob(
  context: IExecuteFunctions,
  index: number,
  job: Job,
  pairedItem: PairedItem,
): Promise<INodeExecutionData[]> {
  const settings: IDataObject = readField(context, "settings", index, {});
  const minutes = Number(settings.timeout ?? 60);
  const deadline = Date.now() + minutes * 60_000;
  let current = job;
  while (!isFinal(current)) {
    const left = Math.ceil((deadline - Date.now()) / 1000);
    if (left <= 0) {
      const message = `The job ${job.id} did not end within ${minutes} minutes. It goes on: read it later with Job: Get.`;
      throw new NodeOperationError(context.getNode(), message, { itemIndex: index });
    }
    const qs = { wait: Math.min(waitSeconds, left) };
    current = await request<Job>(context, index, { url: `/v1/jobs/${job.id}`, qs });
  }
  if (current.status !== "completed") throw jobError(context, index, current);
  const isDownloaded: boolean = readField(context, "download", index, true);
  return isDownloaded
    ? download(context, current, settings, pairedItem)
    : [{ json: current, pairedItem }];
}

function jobError(context: IExecuteFunctions, itemIndex: number, job: Job): NodeOperationError {
  const message = job.error ?? `The job was ${job.status}.`;
  const code = job.error_code ? ` Code: ${job.error_code}.` : "";
  return new NodeOperationError(context.getNode(), message, {
    itemIndex,
    description: `Job ${job.id}.${code}`,
  });
}

/** The job with its outputs in binary fields, as one item or as one for each output. */
async function download(
  context: IExecuteFunctions,
  job: Job,
  settings: IDataObject,
  pairedItem: PairedItem,
): Promise<INodeExecutionData[]> {
  const field = String(settings.outputField || "data");
  const kept = job.outputs.filter((output): output is KeptOutput => output.url !== undefined);
  const read = ({ url, filename, content_type: type }: KeptOutput) =>
    context.helpers
      .httpRequest({ url, encoding: "stream" })
      .then((stream) => context.helpers.prepareBinaryData(stream, filename, type));
  if (settings.severalOutputs === "fields" || kept.length < 2) {
    const binary: NonNullable<INodeExecutionData["binary"]> = {};
    for (const [index, output] of kept.entries()) {
      binary[index === 0 ? field : `${field}_${index}`] = await read(output);
    }
    return [{ json: job, binary, pairedItem }];
  }
  const items: INodeExecutionData[] = [];
  for (const [index, output] of kept.entries()) {
    const json = { ...job, output: { index, ...output } };
    items.push({ json, binary: { [field]: await read(output) }, pairedItem });
  }
  return items;
}

/** The operations of the resource Job. */
export async function manageJob(
  context: IExecuteFunctions,
  index: number,
): Promise<INodeExecutionData[]> {
  const pairedItem = { item: index };
  const operation: string = readField(context, "operation", index);
  if (operation === "getAll") return listJobs(context, index);
  const id = encodeURIComponent(String(readField(context, "jobId", index)).trim());
  const url = `/v1/jobs/${id}`;
  if (operation === "get") {
    const job = await request<Job>(context, index, { url });
    const waits: boolean = readField(context, "wait", index);
    return waits ? finishJob(context, index, job, pairedItem) : [{ json: job, pairedItem }];
  }
  if (operation === "delete") {
    await request(context, index, { method: "DELETE", url });
    return [{ json: { id, deleted: true }, pairedItem }];
  }
  const json = await request<Job>(context, index, {
    method: "POST",
    url: `${url}/${operation}`,
    ...(operation === "retry" ? { headers: { "Idempotency-Key": randomUUID() } } : {}),
  });
  return [{ json, pairedItem }];
}

async function listJobs(context: IExecuteFunctions, index: number): Promise<INodeExecutionData[]> {
  const all: boolean = readField(context, "returnAll", index);
  const limit = all ? Number.POSITIVE_INFINITY : Number(readField(context, "limit", index));
  const filters: IDataObject = readField(context, "filters", index, {});
  const items: INodeExecutionData[] = [];
  let after: string | undefined;
  while (items.length < limit) {
    const size = Math.min(100, limit - items.length);
    const qs = { ...filters, limit: size, ...(after ? { starting_after: after } : {}) };
    const { jobs } = await request<{ jobs: Job[] }>(context, index, { url: "/v1/jobs", qs });
    items.push(...jobs.map((json) => ({ json, pairedItem: { item: index } })));
    after = jobs.at(-1)?.id;
    // A page of jobs with long parameters is shorter than its limit.
    if (jobs.length === 0) break;
  }
  return items;
}
