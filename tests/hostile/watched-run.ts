import { readdirSync, readlinkSync } from "node:fs";
import { copyFile, lstat, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { withMainInput } from "#lib/engines/worker/operation.ts";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { pageNetworkFor } from "#lib/jobs/run/claim/networks.ts";
import { type FileLimits, widestLimits } from "#lib/limits/limits.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { InputFile, Operation, OperationResult } from "#lib/operations/define.ts";
import { executeOperation } from "#lib/operations/execute.ts";
import { startTranscriptionServer } from "../servers/transcription.ts";
import { startCanary } from "./canary.ts";
import { findRemainingCommands, listProcesses } from "./engine-processes.ts";
import { findMessageProblem } from "./public-message.ts";
import { containsSecretText } from "./secret-text.ts";

/** A file on disk and the type that its content has. */
export interface Sample {
  readonly path: string;
  readonly type: MediaTypeId;
  readonly filename?: string;
  readonly url?: string;
  readonly requestedUrl?: string;
  readonly charset?: string;
}

export interface OperationRun extends OperationResult {
  readonly params: Record<string, unknown>;
  readonly progress: number[];
}

export interface WatchedRequest {
  readonly operation: Operation;
  /** One file, or several in order. */
  readonly sample: Sample | readonly Sample[];
  readonly params?: Record<string, unknown>;
  readonly files?: Record<string, Sample>;
  readonly signal?: AbortSignal;
  readonly work: WorkFolder;
}

/** Sets the variable to a server of this process, unless a test has set it. */
async function provideTranscriptionServer(): Promise<void> {
  const settings: { TRANSCRIBE_URL?: string | undefined } = env;
  settings.TRANSCRIBE_URL ??= await startTranscriptionServer();
}

let folders = 0;

/**
 * Creates a work folder next to the canary's folder, as a runner does. `limits` override the table's
 * limits. The caller removes the folder.
 */
export function createWorkFolder(limits: Partial<FileLimits> = {}): WorkFolder {
  return WorkFolder.create(processPath(`job-${++folders}`), {
    limits: { ...widestLimits, ...limits },
    network: pageNetworkFor("enterprise"),
  });
}

/** The number of concurrent runs. Their files may be in the engines' slots. */
let activeRuns = 0;

/**
 * Runs an operation as a runner does, and checks what must be true for any file: no connection to
 * loopback, no secret text of the canary in an output or a message, no remaining process or file in an
 * engine, and an error message without internal details. Throws the operation's error.
 */
export async function runWatched(request: WatchedRequest): Promise<OperationRun> {
  const { operation, work } = request;
  if (operation.variables?.includes("TRANSCRIBE_URL")) await provideTranscriptionServer();
  const canary = await startCanary();
  const params = operation.params.parse(request.params ?? {});
  const progress: number[] = [];
  const inputs: InputFile[] = [];
  for (const sample of [request.sample].flat()) inputs.push(await copyInput(work, sample));
  const files: Record<string, InputFile> = {};
  for (const [name, file] of Object.entries(request.files ?? {})) {
    files[name] = await copyInput(work, file);
  }
  const context = {
    ...withMainInput(inputs),
    files,
    params,
    work,
    signal: request.signal ?? new AbortController().signal,
    progress: (percent: number) => void progress.push(percent),
  };
  const earlier = listProcesses();
  activeRuns++;
  const outcome = await executeOperation(operation, context).then(
    (result) => ({ result, failure: undefined }),
    (failure: unknown) => ({ result: undefined, failure }),
  );
  activeRuns--;
  const { result, failure } = outcome;
  const fail = (problem: string) => {
    throw new Error(`${operation.id}: ${problem}`, { cause: failure });
  };
  const hits = canary.takeHits();
  if (hits.length > 0) fail(`connected to loopback: ${hits.join("; ")}`);
  if (failure instanceof JobError) {
    const problem = findMessageProblem(failure.message);
    if (problem) fail(problem);
  }
  const report = JSON.stringify([result?.result, failure instanceof Error && failure.message]);
  if (report.includes(canary.secretText)) fail("the result contains the canary's secret text");
  for (const { path } of result?.outputs ?? []) {
    if (!(await lstat(path)).isFile()) fail(`${basename(path)} is not a regular file`);
    if (await containsSecretText(path, canary.secretText)) {
      fail("an output contains the canary's secret text");
    }
  }
  const processes = await findRemainingCommands(work.root, earlier);
  if (processes.length > 0) fail(`processes remain: ${processes.join("\n")}`);
  const openFiles = await findRemainingOpenFiles(work.root);
  if (openFiles.length > 0) fail(`files are still open: ${openFiles.join(", ")}`);
  const slotFiles = activeRuns === 0 ? findFilesInSlots() : [];
  if (slotFiles.length > 0) fail(`files remain in an engine: ${slotFiles.join(", ")}`);
  if (!result) throw failure;
  const problem = findResultProblem(operation, result);
  if (problem) fail(problem);
  return { ...result, params, progress };
}

/** Why the `result` is not what the operation declares; undefined if it is. */
function findResultProblem(operation: Operation, { result }: OperationResult): string | undefined {
  if (!operation.result) return result && "it returned a result and declares none";
  // As it reaches the client.
  const sent: unknown = result && JSON.parse(JSON.stringify(result));
  const { error } = operation.result.safeParse(sent);
  return error && `the result is not as declared: ${z.prettifyError(error)}`;
}

async function copyInput(work: WorkFolder, sample: Sample): Promise<InputFile> {
  const type = mediaType(sample.type);
  const file = work.input(type.extension);
  await copyFile(sample.path, file.path);
  const { size } = await stat(file.path);
  const filename = sample.filename ?? basename(sample.path);
  return {
    ...file,
    type,
    bytes: size,
    filename,
    ...(sample.url ? { url: sample.url } : {}),
    ...(sample.requestedUrl ? { requestedUrl: sample.requestedUrl } : {}),
    ...(sample.charset ? { charset: sample.charset } : {}),
  };
}

/** Files of a folder that this process still has open after a grace period. */
async function findRemainingOpenFiles(folder: string): Promise<string[]> {
  const deadline = Date.now() + 5000;
  let open = openFilesIn(folder);
  while (open.length > 0 && Date.now() < deadline) {
    await wait(20);
    open = openFilesIn(folder);
  }
  return open;
}

function openFilesIn(folder: string): string[] {
  return listFolder("/proc/self/fd")
    .map((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        return ""; // closed in the meantime
      }
    })
    .filter((path) => path.startsWith(`${folder}/`));
}

/** Files in the slot folders of warm engines, except the socket of Chromium's guarded proxy. */
function findFilesInSlots(): string[] {
  const slots = processPath("slots");
  return listFolder(slots)
    .filter((slot) => !slot.startsWith("chromium-") && !slot.endsWith("-profiles"))
    .flatMap((slot) =>
      listFolder(join(slots, slot)).flatMap((name) =>
        ["in", "out", "tmp"].includes(name)
          ? listFolder(join(slots, slot, name)).map((file) => `${slot}/${name}/${file}`)
          : [`${slot}/${name}`],
      ),
    );
}

/** The names in the folder at `path`; none if it does not exist. */
export function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // no engine was started, or one was replaced in the meantime
  }
}
