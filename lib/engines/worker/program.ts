import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { JobError } from "#lib/errors.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { loadSharp } from "../image/open.ts";
import { rasterizeText } from "../image/rasterize-text.ts";
import { WorkFolder } from "../sandbox/work-folder.ts";
import type { JsonLine } from "../warm/json-lines-process.ts";
import { readLines } from "../warm/read-lines.ts";
import { slotFileName } from "../warm/slot-folder.ts";
import type { WorkerMessage } from "./message.ts";
import type { OutputFile, RanStep } from "./operation.ts";
import { openSlotFile, workerFolder } from "./slot-files.ts";
import { loadWorkerFunction, type WorkerOutput } from "./worker-function.ts";

/**
 * The program of a worker. It runs in the sandbox with its slot folder as the working directory,
 * and speaks the protocol of lib/engines/warm/json-lines-process.ts: one call of a function per line.
 * Started by lib/engines/worker/process.ts.
 */

async function runFunction(message: WorkerMessage): Promise<WorkerOutput<unknown>> {
  const { limits, threads, files, options } = message;
  const settings = { limits, network: noNetwork, createsLater: true };
  const work = WorkFolder.create(workerFolder, settings);
  (await loadSharp()).concurrency(threads);
  const run = await loadWorkerFunction(message.module, message.index);
  const progress = (percent: number) => send({ progress: percent });
  return run({ files: files.map(openSlotFile), options, work, progress });
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

/** The longest request in characters, much more than the longest text and URL of a request. */
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
    const { outputs, steps, ...rest } = await runFunction(JSON.parse(line) as WorkerMessage);
    return {
      result: {
        ...rest,
        outputs: outputs.map(publishOutput),
        ...(steps ? { steps: steps.map(publishStep) } : {}),
      },
    };
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
