import { copyFile, mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { onTestFinished } from "vitest";
import { WorkFolder } from "#lib/engines/work-folder.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { InputFile, Operation, OperationResult } from "#lib/operations/define.ts";
import { executeOperation } from "#lib/operations/execute.ts";

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

/** Runs an operation as a runner does, in a work folder that goes when the test ends. */
export async function runOperation(
  operation: Operation,
  sample: Sample,
  params: Record<string, unknown> = {},
  files: Record<string, Sample> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<OperationRun> {
  const work = await temporaryWorkFolder();
  const parsed = operation.params.parse(params);
  const progress: number[] = [];
  const input = await place(work, sample);
  const placed: Record<string, InputFile> = {};
  for (const [part, file] of Object.entries(files)) placed[part] = await place(work, file);
  const result = await executeOperation(operation, {
    input,
    files: placed,
    params: parsed,
    work,
    signal,
    progress: (percent) => progress.push(percent),
  });
  return { ...result, params: parsed, progress };
}

export async function temporaryWorkFolder(): Promise<WorkFolder> {
  const work = WorkFolder.create(await mkdtemp(join(tmpdir(), "mediamill-")));
  onTestFinished(() => work.remove());
  return work;
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
