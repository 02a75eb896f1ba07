import { renameSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { drawText, type TextOptions } from "#lib/engines/draw-text.ts";
import { loadSharp } from "#lib/engines/image.ts";
import { slotName } from "#lib/engines/image-process.ts";
import { drawTextTask, inspectTask, toPngTask } from "#lib/engines/image-tasks.ts";
import type { LineReply } from "#lib/engines/line-process.ts";
import { type WorkFile, WorkFolder } from "#lib/engines/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { InputFile, OperationResult, OutputFile } from "./define.ts";
import { findOperation } from "./index.ts";

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
  | { task: "png"; file: string; width?: number };

async function perform(request: Request): Promise<OperationResult> {
  const work = WorkFolder.create(process.cwd());
  switch (request.task) {
    case "operation":
      return runOperation(request, work);
    case "text":
      return drawTextTask(request.options, work);
    case "info":
      return inspectTask(openSlotFile(request.file));
    case "png":
      return toPngTask(openSlotFile(request.file), request.width, work);
  }
}

function runOperation(sent: SentOperation, work: WorkFolder): Promise<OperationResult> {
  const operation = findOperation(sent.id);
  if (!operation) throw new Error(`no operation ${sent.id}`);
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
for await (const line of createInterface({ input: process.stdin })) await answer(line);
