import { readdirSync, readlinkSync } from "node:fs";
import { copyFile, lstat, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { processPath } from "#lib/engines/sandbox/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { type FileLimits, widestLimits } from "#lib/limits/limits.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { InputFile, Operation, OperationResult } from "#lib/operations/define.ts";
import { executeOperation } from "#lib/operations/execute.ts";
import { layBait } from "./canary.ts";
import { lastingProcesses } from "./engine-processes.ts";
import { tellsMarker } from "./marker.ts";
import { complainOfSentence } from "./plain-message.ts";

/** A file on disk and the type that its content has. */
export interface Sample {
  readonly path: string;
  readonly type: MediaTypeId;
  readonly filename?: string;
  readonly url?: string;
  readonly charset?: string;
}

export interface OperationRun extends OperationResult {
  readonly params: Record<string, unknown>;
  readonly progress: number[];
}

export interface WatchedRequest {
  readonly operation: Operation;
  readonly sample: Sample;
  readonly params?: Record<string, unknown>;
  readonly files?: Record<string, Sample>;
  readonly signal?: AbortSignal;
  readonly work: WorkFolder;
}

let folders = 0;

/** A work folder where a runner's are, beside the bait; `caps` in the place of the table's. The caller removes it. */
export function makeWorkFolder(caps: Partial<FileLimits> = {}): WorkFolder {
  return WorkFolder.create(processPath(`job-${++folders}`), { ...widestLimits, ...caps });
}

/** Runs at this moment: while there are others, their files may lie in the engines' slots. */
let underWay = 0;

/**
 * Runs an operation as a runner does, and holds what must hold whatever the file is: nothing was asked
 * of loopback, no output and no answer tells the neighbour's secret, no process and no file is left
 * in an engine, an error is one sentence that says nothing of the inside. Throws what the operation throws.
 */
export async function runWatched(request: WatchedRequest): Promise<OperationRun> {
  const { operation, work } = request;
  const bait = await layBait();
  const params = operation.params.parse(request.params ?? {});
  const progress: number[] = [];
  const input = await place(work, request.sample);
  const files: Record<string, InputFile> = {};
  for (const [part, file] of Object.entries(request.files ?? {})) {
    files[part] = await place(work, file);
  }
  const context = {
    ...{ input, files, params, work },
    signal: request.signal ?? new AbortController().signal,
    progress: (percent: number) => void progress.push(percent),
  };
  underWay++;
  const outcome = await executeOperation(operation, context).then(
    (result) => ({ result, failure: undefined }),
    (failure: unknown) => ({ result: undefined, failure }),
  );
  underWay--;
  const { result, failure } = outcome;
  const refuse = (what: string) => {
    throw new Error(`${operation.id}: ${what}`, { cause: failure });
  };
  const hits = bait.takeHits();
  if (hits.length > 0) refuse(`loopback was asked: ${hits.join("; ")}`);
  if (failure instanceof JobError) {
    const complaint = complainOfSentence(failure.message);
    if (complaint) refuse(complaint);
  }
  const answer = JSON.stringify([result?.result, failure instanceof Error && failure.message]);
  if (answer.includes(bait.marker)) refuse("the answer tells the neighbour's secret");
  for (const { path } of result?.outputs ?? []) {
    if (!(await lstat(path)).isFile()) refuse(`${basename(path)} is no regular file`);
    if (await tellsMarker(path, bait.marker)) refuse("an output tells the neighbour's secret");
  }
  const processes = await lastingProcesses(work.root);
  if (processes.length > 0) refuse(`processes are left: ${processes.join("\n")}`);
  const open = await lastingOpenFiles(work.root);
  if (open.length > 0) refuse(`files are still open: ${open.join(", ")}`);
  const left = underWay === 0 ? filesInSlots() : [];
  if (left.length > 0) refuse(`files are left in an engine: ${left.join(", ")}`);
  if (!result) throw failure;
  return { ...result, params, progress };
}

async function place(work: WorkFolder, sample: Sample): Promise<InputFile> {
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
    ...(sample.charset ? { charset: sample.charset } : {}),
  };
}

/** Files of a folder that this process has open even after what is closing them has had time to. */
async function lastingOpenFiles(folder: string): Promise<string[]> {
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
        return ""; // closed meanwhile
      }
    })
    .filter((path) => path.startsWith(`${folder}/`));
}

/** What lies in the slot folders of warm engines, the socket of Chromium's proxy aside. */
function filesInSlots(): string[] {
  const slots = processPath("slots");
  return listFolder(slots)
    .filter((slot) => !slot.startsWith("chromium-") && !slot.endsWith("-profile"))
    .flatMap((slot) =>
      listFolder(join(slots, slot)).flatMap((name) =>
        ["in", "out", "tmp"].includes(name)
          ? listFolder(join(slots, slot, name)).map((file) => `${slot}/${name}/${file}`)
          : [`${slot}/${name}`],
      ),
    );
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // no engine has been started, or one was replaced meanwhile
  }
}
