import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { JobError } from "#lib/errors.ts";
import type { OfficeStructure } from "#lib/formats/office/formats.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { Conversion } from "../image/formats/convert.ts";
import { loadSharp } from "../image/open.ts";
import { rasterizeText, type TextOptions } from "../image/rasterize-text.ts";
import type { VectorSize } from "../image/vector-size.ts";
import { WorkFolder } from "../sandbox/work-folder.ts";
import type { JsonLine } from "../warm/json-lines-process.ts";
import { readLines } from "../warm/read-lines.ts";
import { slotFileName } from "../warm/slot-folder.ts";
import type { SerializedCall, WorkerFunction } from "./call.ts";
import {
  officeEncryptionTask,
  type PatchKind,
  planPatchesTask,
  planPdfChangesTask,
  prepareOfficeTask,
  readArchiveTask,
  type ScrubKind,
  scrubTask,
} from "./container-tasks.ts";
import { denoiseTask } from "./denoise-task.ts";
import {
  convertTask,
  drawSvgTask,
  normalizeToPngTask,
  readHeaderTask,
  renderTextTask,
  scanTask,
} from "./image-tasks.ts";
import type { ChainResult, OperationResult, OutputFile, RanStep } from "./operation.ts";
import {
  type OperationTask,
  openSlotFile,
  runOperationTask,
  workerFolder,
} from "./operation-task.ts";
import { convertSubtitlesTask, type SubtitleTask } from "./subtitle-tasks.ts";

/**
 * The program of a worker. It runs in the sandbox with its slot folder as the working directory,
 * and speaks the protocol of lib/engines/warm/json-lines-process.ts: one task per line. Started by
 * lib/engines/worker/process.ts.
 */

type Request =
  | ({ task: "operation" } & OperationTask)
  | { task: "text"; options: TextOptions }
  | { task: "info"; file: string }
  | { task: "png"; file: string; width?: number }
  | { task: "convert"; file: string; conversion: Conversion; isDecoded: boolean }
  | { task: "scan"; file: string; scale: number }
  | { task: "svg"; file: string; size: VectorSize }
  | { task: "patches"; file: string; kind: PatchKind }
  | { task: "scrub"; file: string; kind: ScrubKind }
  | { task: "denoise"; file: string; channels: number; attenuation: number }
  | { task: "office"; file: string; structure: OfficeStructure }
  | ({ task: "subtitles" } & SubtitleTask)
  | ({ task: "call" } & SerializedCall)
  | { task: "office-encryption" | "archive" | "pdf-changes"; file: string };

/** What every request has in addition. */
interface TaskContext {
  readonly limits?: FileLimits;
  /** Threads that libvips may use. */
  readonly threads: number;
}

async function runTask(request: Request & TaskContext): Promise<OperationResult | ChainResult> {
  const work = WorkFolder.create(workerFolder, { limits: request.limits, network: noNetwork });
  (await loadSharp()).concurrency(request.threads);
  switch (request.task) {
    case "operation":
      return runOperationTask(request, (percent) => send({ progress: percent }));
    case "text":
      return renderTextTask(request.options, work);
    case "info":
      return readHeaderTask(openSlotFile(request.file), work);
    case "png":
      return normalizeToPngTask(openSlotFile(request.file), request.width, work);
    case "scan":
      return scanTask(openSlotFile(request.file), request.scale, work);
    case "convert":
      return convertTask(openSlotFile(request.file), request.conversion, work, request.isDecoded);
    case "svg":
      return drawSvgTask(openSlotFile(request.file), request.size, work);
    case "patches":
      return planPatchesTask(openSlotFile(request.file), request.kind, work);
    case "scrub":
      return scrubTask(openSlotFile(request.file), request.kind, work);
    case "denoise":
      return denoiseTask(openSlotFile(request.file), request, work, (percent) =>
        send({ progress: percent }),
      );
    case "office":
      return prepareOfficeTask(openSlotFile(request.file), request.structure, work);
    case "subtitles":
      return convertSubtitlesTask(openSlotFile(request.file), request, work);
    case "call":
      return runCall(request, work);
    case "office-encryption":
      return officeEncryptionTask(openSlotFile(request.file), work);
    case "archive":
      return readArchiveTask(openSlotFile(request.file));
    case "pdf-changes":
      return planPdfChangesTask(openSlotFile(request.file), work);
  }
}

async function runCall(call: SerializedCall, work: WorkFolder): Promise<OperationResult> {
  const exported: Record<string, unknown> = await import(call.module);
  // The runner, which is trusted, names a function of the project.
  const run = exported[call.name] as WorkerFunction<unknown>;
  return run({
    files: call.files.map(openSlotFile),
    options: call.options,
    work,
    progress: (percent) => send({ progress: percent }),
  });
}

/** Moves an output to the top level of the worker's folder, where the pool expects it. */
function publishOutput({ path, extension: _, ...properties }: OutputFile) {
  const name = slotFileName(properties);
  renameSync(path, join(workerFolder, name));
  return { ...properties, name };
}

function publishStep({ ms, output }: RanStep) {
  return output ? { ms, output: publishOutput(output) } : { ms };
}

function send(line: JsonLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Characters; much more than the longest text and URL of a request. */
const maxRequestLength = 2 ** 20;

async function handleRequest(line: string): Promise<void> {
  const reply = await createReply(line);
  // The pool removes only files there: a folder could be replaced by a link at the same time.
  for (const entry of readdirSync(workerFolder, { withFileTypes: true })) {
    if (entry.isDirectory()) rmSync(join(workerFolder, entry.name), { recursive: true });
  }
  send(reply);
}

async function createReply(line: string): Promise<JsonLine> {
  try {
    // The sender is the pool of the runner, which is trusted.
    const { outputs, ...rest } = await runTask(JSON.parse(line) as Request & TaskContext);
    const steps = "steps" in rest ? { steps: rest.steps.map(publishStep) } : {};
    return { result: { ...rest, outputs: outputs.map(publishOutput), ...steps } };
  } catch (error) {
    const { code, message, cause } =
      error instanceof JobError ? error : { code: "internal", message: "", cause: error };
    const detail = cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
    return { error: { code, message, ...(detail ? { detail } : {}) } };
  }
}

await loadSharp();
send({ ready: true });
// Loads the fonts in the background, which takes about 0.3 s. If it fails, a later text task fails
// too.
const size = { maxWidth: 99, maxHeight: 99 };
rasterizeText({ text: "a", fontSize: 12, color: "#000", opacity: 1, ...size }).catch(() => {});
readLines(
  process.stdin,
  maxRequestLength,
  (line) => void handleRequest(line),
  () => process.exit(1),
);
