import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { parseParams, requireFileChoice } from "#lib/api/job-creation/parse-params.ts";
import { requireEngines, requireOneRunner } from "#lib/api/job-creation/require-engines.ts";
import { requireSandboxForFiles } from "#lib/api/job-creation/require-sandbox.ts";
import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import type { JobRow, JobSource, StoredSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { createJob } from "#lib/jobs/accept/create.ts";
import { discardStagedUpload, stageUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { watchForEnd } from "#lib/jobs/follow/events.ts";
import { inputPart } from "#lib/jobs/sources.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { chainName, chainPart } from "#lib/jobs/steps.ts";
import { inputKey } from "#lib/jobs/storage-keys.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { acceptsType, type Operation } from "#lib/operations/define.ts";
import { storage } from "#lib/storage/index.ts";
import { timeLimitReached } from "../base/errors.ts";
import type { FieldNames } from "../plan/plan.ts";
import { type Caller, InterruptedError } from "./caller.ts";

/** One operation of a job. */
export interface JobStep {
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parts: Readonly<Record<string, UploadedFile>>;
  readonly fields: FieldNames;
}

export interface JobFiles {
  readonly inputs: readonly UploadedFile[];
  /** The URL of a page instead of a file. */
  readonly url?: string | undefined;
}

/** The place of a job in its plan. */
export interface JobPlace {
  readonly name: string;
  /** Whether the request has no other job, and its files are those of the form. */
  readonly isOnly: boolean;
}

/** A job that did not complete, or could not be created. */
export class FailedJobError extends Error {
  override readonly name = "FailedJobError";
  readonly code: string;
  readonly operation: string;
  /** The form fields of its parameters. */
  readonly fields: FieldNames;

  constructor(
    code: string,
    message: string,
    { operation, fields = {} }: { readonly operation: string; readonly fields?: FieldNames },
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
    this.code = code;
    this.operation = operation;
    this.fields = fields;
  }
}

/**
 * Creates a job of one operation, or a chain, and waits for its end. Cancels it when the time of the caller is over
 * or the client has gone. The only job of a request takes the id of its staged upload, and thereby its files where they
 * are. A job that an earlier process created at the same place is not created again. Throws `FailedJobError`,
 * `GotenbergError`, `RequestError` and `InterruptedError`.
 */
export async function runJob(
  steps: readonly [JobStep, ...JobStep[]],
  files: JobFiles,
  caller: Caller,
  { name, isOnly }: JobPlace,
): Promise<JobRow> {
  const operations = steps.map(({ operation }) => requireOperation(operation));
  const params = await parseSteps(steps, operations);
  requireTypes(operations[0], steps[0], files.inputs);
  const { account, signal, endsAt, jobIdAt } = caller;
  const id = isOnly ? caller.staged : (jobIdAt?.(name) ?? createId("job"));
  const seconds = Math.max(0, (endsAt - Date.now()) / 1000);
  const watch = await watchForEnd(account.id, id, seconds);
  try {
    const isCreated = jobIdAt !== undefined && (await findJob(db(), account.id, id)) !== undefined;
    if (!isCreated) {
      const create = () => createFor(id, { steps, files, params, caller, copies: !isOnly });
      await (isOnly ? create() : withStagedUpload(id, create));
    }
  } catch (error) {
    watch.stop();
    throw error;
  }
  caller.onJob(id);
  const job = await watch.wait(signal);
  if (!job || !isFinal(job)) {
    if (jobIdAt && signal.aborted) throw new InterruptedError();
    await cancelJob(account.id, id);
    throw timeLimitReached;
  }
  if (job.status === "completed") return job;
  const { message, step } = findStepOf(job, steps);
  throw new FailedJobError(job.errorCode ?? "internal", message, step);
}

/** Stages files of a new job while it is created. */
async function withStagedUpload(id: string, create: () => Promise<void>): Promise<void> {
  await stageUpload(id);
  try {
    await create();
  } catch (error) {
    await discardStagedUpload(id);
    throw error;
  }
}

interface Creation {
  readonly steps: readonly [JobStep, ...JobStep[]];
  readonly files: JobFiles;
  /** The parameters of each step. */
  readonly params: readonly Record<string, unknown>[];
  readonly caller: Caller;
  /** Whether the job gets copies of the files; else they are in its folder already. */
  readonly copies: boolean;
}

async function createFor(id: string, creation: Creation): Promise<void> {
  const { steps, params, caller } = creation;
  const isChain = steps.length > 1;
  const chain = steps.map(({ operation }, index) => ({ type: operation, params: params[index] }));
  await createJob({
    id,
    operation: isChain ? chainName : steps[0].operation,
    params: isChain ? { operations: chain } : (params[0] ?? {}),
    ...(await placeSources(id, creation)),
    webhookUrl: null,
    metadata: {},
    account: caller.account,
    apiKeyId: caller.apiKeyId,
    requestId: caller.requestId,
    idempotency: null,
  });
}

/** The step that failed: the messages of a chain begin with its number. */
function findStepOf(job: JobRow, steps: readonly [JobStep, ...JobStep[]]) {
  const text = job.error ?? "";
  const [, number, rest] = /^Operation (\d+), [\w/-]+: (.*)$/s.exec(text) ?? [];
  const step = steps[Number(number) - 1];
  if (rest === undefined || step === undefined) return { message: text, step: steps[0] };
  return { message: rest.charAt(0).toUpperCase() + rest.slice(1), step };
}

function requireOperation(id: string): Operation {
  const operation = findOperation(id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return operation;
}

async function parseSteps(steps: readonly JobStep[], operations: readonly Operation[]) {
  const parsed: Record<string, unknown>[] = [];
  for (const [index, operation] of operations.entries()) {
    await requireEngines(operation);
    const { params = {}, parts = {}, fields = {} } = steps[index] ?? {};
    try {
      const values = parseParams(operation, { ...params }, "json");
      requireFileChoice(operation, values, parts);
      parsed.push(values);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const step = { operation: operation.id, fields };
      throw new FailedJobError(error.code, error.message, step, { cause: error });
    }
  }
  if (operations.length > 1) await requireOneRunner(operations);
  return parsed;
}

function requireTypes(
  operation: Operation | undefined,
  step: JobStep,
  inputs: readonly UploadedFile[],
): void {
  for (const { type } of inputs) {
    if (!operation || acceptsType(operation, type.id)) continue;
    throw new FailedJobError("unsupported_type", `The file is ${type.label}.`, step);
  }
}

/** The sources of a job, with its files in its folder. */
async function placeSources(
  id: string,
  { steps, files: { inputs, url }, copies }: Creation,
): Promise<{ source: JobSource; parts: Record<string, JobSource> }> {
  const place = async (file: UploadedFile, part: string): Promise<StoredSource> => {
    const key = copies ? inputKey(id, part) : file.key;
    if (copies) await storage().copy(file.key, key);
    const { filename, type, bytes, sha256 } = file;
    return { kind: "stored", key, filename, contentType: type.mime, bytes, sha256 };
  };
  const parts: Record<string, JobSource> = {};
  for (const [index, { operation, parts: given }] of steps.entries()) {
    const definition = requireOperation(operation);
    const stored: Record<string, StoredSource> = {};
    for (const [part, file] of Object.entries(given)) {
      const name = steps.length > 1 ? chainPart(index, part) : part;
      stored[part] = await place(file, name);
      parts[name] = stored[part];
    }
    await requireSandboxForFiles(definition, { parts: stored });
  }
  if (url !== undefined) return { source: { kind: "url", url }, parts };
  const [first, ...others] = inputs;
  if (!first) throw new Error("there is no input");
  for (const [index, file] of others.entries()) {
    parts[inputPart(index + 1)] = await place(file, inputPart(index + 1));
  }
  return { source: await place(first, inputPart(0)), parts };
}
