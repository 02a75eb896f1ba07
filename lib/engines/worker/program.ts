import { renameSync } from "node:fs";
import { resolve } from "node:path";
import { JobError } from "#lib/errors.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { loadSharp } from "../image/open.ts";
import { drawText, type TextOptions } from "../image/render-text.ts";
import type { OfficePacking } from "../office/formats.ts";
import { type WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { LineReply } from "../warm/line-process.ts";
import { readLines } from "../warm/read-lines.ts";
import { slotName } from "../warm/slot.ts";
import {
  archiveTask,
  lockTask,
  officeTask,
  planPdfTask,
  type ScrubKind,
  scrubTask,
} from "./container-tasks.ts";
import { drawTextTask, inspectTask, toPngTask } from "./image-tasks.ts";
import type { InputFile, OperationResult, OutputFile, RunnableOperation } from "./operation.ts";

/**
 * The image worker: a process inside the sandbox, its slot folder as working directory, that does one
 * task a line and answers as lib/engines/warm/line-process.ts reads it. Started by lib/engines/worker/pool.ts.
 */

/** An input as it crosses the pipe: `name` is a file at the top of the slot. */
export interface SentFile {
  readonly name: string;
  readonly type: MediaTypeId;
  readonly bytes: number;
  readonly filename: string;
  readonly url?: string;
}

export interface SentOperation {
  readonly id: string;
  /** Path of the module that exports the operation. */
  readonly module: string;
  readonly params: Record<string, unknown>;
  readonly input: SentFile;
  readonly files: Readonly<Record<string, SentFile>>;
}

type Request =
  | ({ task: "operation" } & SentOperation)
  | { task: "text"; options: TextOptions }
  | { task: "info"; file: string }
  | { task: "png"; file: string; width?: number }
  | { task: "scrub"; file: string; kind: ScrubKind }
  | { task: "office"; file: string; packing: OfficePacking }
  | { task: "lock" | "archive" | "pdf-plan"; file: string };

async function perform(request: Request & { caps?: FileLimits }): Promise<OperationResult> {
  const work = WorkFolder.create(process.cwd(), request.caps);
  switch (request.task) {
    case "operation":
      return runOperation(request, work);
    case "text":
      return drawTextTask(request.options, work);
    case "info":
      return inspectTask(openSlotFile(request.file), work);
    case "png":
      return toPngTask(openSlotFile(request.file), request.width, work);
    case "scrub":
      return scrubTask(openSlotFile(request.file), request.kind, work);
    case "office":
      return officeTask(openSlotFile(request.file), request.packing, work);
    case "lock":
      return lockTask(openSlotFile(request.file), work);
    case "archive":
      return archiveTask(openSlotFile(request.file));
    case "pdf-plan":
      return planPdfTask(openSlotFile(request.file), work);
  }
}

async function runOperation(sent: SentOperation, work: WorkFolder): Promise<OperationResult> {
  const operation = await loadOperation(sent);
  const files = Object.entries(sent.files).map(([part, file]) => [part, receive(file)] as const);
  return operation.run({
    input: receive(sent.input),
    files: Object.fromEntries(files),
    params: sent.params,
    work,
    // The process is killed from outside where the job is stopped.
    signal: new AbortController().signal,
    progress: (percent) => say({ progress: percent }),
  });
}

/** Loads only the operation's own module; the whole catalogue would load every other engine too. */
async function loadOperation({ id, module }: SentOperation): Promise<RunnableOperation> {
  const exported: Record<string, unknown> = await import(module);
  const isRequested = (value: unknown): value is RunnableOperation =>
    typeof value === "object" && value !== null && "id" in value && value.id === id;
  const operation = Object.values(exported).find(isRequested);
  if (!operation) throw new Error(`${module} exports no operation ${id}`);
  return operation;
}

function receive({ name, type, ...rest }: SentFile): InputFile {
  return { ...rest, ...openSlotFile(name), type: mediaType(type) };
}

function openSlotFile(name: string): WorkFile {
  return { name, path: resolve(name), extension: name.slice(name.lastIndexOf(".") + 1) };
}

/** Puts an output where it is fetched: at the top of the slot. */
function handOver({ path, extension: _, ...facts }: OutputFile) {
  const name = slotName(facts);
  renameSync(path, name);
  return { ...facts, name };
}

function say(reply: LineReply | { ready: true }): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

/** Far above the longest text and address that a request holds. */
const maxRequestLength = 2 ** 20;

async function answer(line: string): Promise<void> {
  try {
    // The other end is our own pool.
    const { outputs, result } = await perform(JSON.parse(line) as Request);
    say({ result: { outputs: outputs.map(handOver), result } });
  } catch (error) {
    const { code, message, cause } =
      error instanceof JobError ? error : { code: "internal", message: "", cause: error };
    const detail = cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
    say({ error: { code, message, ...(detail ? { detail } : {}) } });
  }
}

await loadSharp();
say({ ready: true });
// Finding the machine's fonts takes some 0.3 s: begun before a job needs them, waited for by none.
// Where it fails, whoever draws text is told.
drawText({ text: "a", fontSize: 12, color: "#000", opacity: 1, maxWidth: 99, maxHeight: 99 }).catch(
  () => {},
);
readLines(
  process.stdin,
  maxRequestLength,
  (line) => void answer(line),
  () => process.exit(1),
);
