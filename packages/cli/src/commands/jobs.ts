import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Job, JobData, JobEventType, JobStatus } from "../../../sdk/src/index.ts";
import { JobFailedError } from "../../../sdk/src/index.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { guardFile } from "../run/interruption.ts";
import { safeName } from "../run/save.ts";
import { createClient } from "../settings/client.ts";
import type { Settings } from "../settings/settings.ts";
import { formatBytes, notify, printJson, printLine, printTable } from "../terminal/print.ts";

interface JsonFlag {
  readonly json?: boolean;
}

export async function listJobs(
  settings: Settings,
  flags: JsonFlag & { status?: JobStatus; operation?: string; limit: number },
): Promise<void> {
  const { status, operation, limit, json } = flags;
  const query = { ...(status ? { status } : {}), ...(operation ? { operation } : {}) };
  const rows: string[][] = [];
  let count = 0;
  for await (const { data } of createClient(settings).jobs.list({
    ...query,
    limit: Math.min(100, limit),
  })) {
    if (json) printJson(data, true);
    else rows.push([data.id, data.status, data.operation, data.created_at, nameOf(data)]);
    if (++count === limit) break;
  }
  if (!json) printTable(rows);
  if (count === 0) notify("There is no such job.");
}

const nameOf = ({ input }: JobData) => input.filename ?? input.url ?? "";

export async function getJob(
  settings: Settings,
  id: string,
  { output, wait, json }: JsonFlag & { output?: string; wait?: boolean },
): Promise<ExitCode> {
  const client = createClient(settings);
  const read = await client.jobs.get(id);
  const job = wait && !read.isFinal ? await waitUntilEnd(client.jobs.wait(read), read) : read;
  if (json) printJson(job.data, true);
  else if (output === undefined) showJob(job);
  if (output !== undefined) {
    const folder = output.endsWith("/") ? output : `${output}/`;
    await mkdir(folder, { recursive: true });
    if (job.outputs.length === 0) notify(`The job is ${job.status} and has no outputs.`);
    for (const one of job.outputs) {
      const path = join(folder, safeName(one.filename));
      await guardFile(`${path}.part`, () => one.save(path));
      if (!json) printLine(path);
    }
  }
  return exitCodeOf(job.data);
}

/** The job as it ended, also if it failed. */
async function waitUntilEnd(ending: Promise<Job>, { id }: Job): Promise<Job> {
  try {
    return await ending;
  } catch (error) {
    if (error instanceof JobFailedError) notify(`${id}: ${error.message}`);
    throw error;
  }
}

function exitCodeOf({ status }: JobData): ExitCode {
  return status === "failed" || status === "cancelled" ? exitCodes.job : exitCodes.ok;
}

function showJob({ data }: Job): void {
  const optional = (name: string, value: string | null) => (value ? [[name, value]] : []);
  printTable([
    ["Job", data.id],
    ["Status", data.status === "processing" ? `processing, ${data.progress}%` : data.status],
    ["Operation", data.operation],
    ...optional("Input", nameOf(data)),
    ["Created", data.created_at],
    ...optional("Ended", data.completed_at),
    ...optional("Error", data.error && `${data.error} (${data.error_code})`),
    ...data.warnings.map((warning) => ["Warning", warning]),
    ...data.outputs.map(({ filename, bytes, url }) => [
      "Output",
      `${filename} (${formatBytes(bytes)}) ${url}`,
    ]),
  ]);
  if (data.result) printJson(data.result);
}

export async function cancelJobs(
  settings: Settings,
  ids: readonly string[],
  { json }: JsonFlag,
): Promise<void> {
  const client = createClient(settings);
  for (const id of ids) {
    const { data } = await client.jobs.cancel(id);
    if (json) printJson(data, true);
    else notify(`${id} is ${data.status}.`);
  }
}

export async function retryJob(settings: Settings, id: string, { json }: JsonFlag): Promise<void> {
  const { data } = await createClient(settings).jobs.retry(id);
  if (json) printJson(data, true);
  else printLine(data.id);
}

export async function tailJobs(
  settings: Settings,
  id: string | undefined,
  { types, json }: JsonFlag & { types: string },
): Promise<ExitCode> {
  const client = createClient(settings);
  const print = (data: JobData, type: string) => {
    if (json) printJson({ type, ...data }, true);
    else printLine([type.padEnd(13), data.id, data.operation, `${data.progress}%`].join("  "));
  };
  if (id === undefined) {
    // The service checks the types.
    for await (const event of client.events({ types: types.split(",") as JobEventType[] }))
      print(event.job, event.type);
    return exitCodes.ok;
  }
  const job = await client.jobs.get(id);
  let shown = -1;
  const onProgress = ({ percent }: { readonly percent: number }) => {
    if (percent === shown) return;
    shown = percent;
    notify(`${id}  ${percent}%`);
  };
  const ended = await client.jobs.wait(job, { onProgress }).catch((error: unknown) => {
    if (error instanceof JobFailedError) return client.job(error.job);
    throw error;
  });
  print(ended.data, `job.${ended.status}`);
  if (ended.data.error) notify(ended.data.error);
  return exitCodeOf(ended.data);
}
