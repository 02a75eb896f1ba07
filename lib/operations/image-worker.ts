import { renameSync } from "node:fs";
import { resolve } from "node:path";
import {
  archiveTask,
  lockTask,
  officeTask,
  planPdfTask,
  type ScrubKind,
  scrubTask,
} from "#lib/engines/container-tasks.ts";
import { drawText, type TextOptions } from "#lib/engines/draw-text.ts";
import { loadSharp } from "#lib/engines/image.ts";
import { drawTextTask, inspectTask, toPngTask } from "#lib/engines/image-tasks.ts";
import type { LineReply } from "#lib/engines/line-process.ts";
import type { OfficePacking } from "#lib/engines/office-formats.ts";
import { readLines } from "#lib/engines/read-lines.ts";
import { slotName } from "#lib/engines/slot.ts";
import { type WorkFile, WorkFolder } from "#lib/engines/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import type { Caps } from "#lib/media/caps.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { InputFile, Operation, OperationResult, OutputFile } from "./define.ts";

/**
 * The image worker: a process inside the sandbox, its slot folder as working directory, that does one
 * task a line and answers as lib/engines/line-process.ts reads it. Started by lib/engines/image-pool.ts.
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

async function perform(request: Request & { caps?: Caps }): Promise<OperationResult> {
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
  const operation = await loadOperation(sent.id);
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

/** The operation's own file, which its id names; the whole catalogue would bring every other engine. */
async function loadOperation(id: string): Promise<Operation> {
  if (!/^[a-z]+\/[a-z0-9-]+$/.test(id)) throw new Error(`no operation ${id}`);
  const exported: Record<string, unknown> = await import(`./${id}.ts`);
  const isIt = (value: unknown): value is Operation =>
    typeof value === "object" && value !== null && "id" in value && value.id === id;
  const operation = Object.values(exported).find(isIt);
  if (!operation) throw new Error(`no operation ${id}`);
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
