import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Job, Output } from "../../../sdk/src/index.ts";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { printJson } from "../terminal/print.ts";
import { guardFile } from "./interruption.ts";
import type { Task } from "./plan.ts";
import { shortPath, stemOf } from "./sources.ts";

export interface SaveOptions {
  /** The name of the operation, for outputs that would replace an input. */
  readonly suffix: string;
  /** Complete paths that are never written. */
  readonly inputs: ReadonlySet<string>;
  /** The inputs of the files that this call has written, by their complete paths. */
  readonly written: Map<string, string>;
  /** Whether a result without files is printed by the caller. */
  readonly isJson: boolean;
}

/** Writes the outputs of a job to its destination. Returns the paths of the files. */
export async function saveOutputs(task: Task, job: Job, options: SaveOptions): Promise<string[]> {
  const { destination } = task;
  const isData = job.outputs.every(({ contentType }) => contentType === "application/json");
  const isShown = destination.kind === "folder" && !destination.isGiven && !options.isJson;
  // Data is for reading; a file of it is written where one was named.
  if (job.outputs.length === 0 || (isShown && isData && job.result))
    return saveResult(task, job, options);
  if (destination.kind === "stdout") {
    await writeToStdout(job);
    return [];
  }
  const targets = job.outputs.map((output, index) =>
    distinctTarget(targetOf(task, job, output, index, options), task, options),
  );
  for (const [index, output] of job.outputs.entries()) {
    const target = targets[index] ?? "";
    await mkdir(dirname(target), { recursive: true });
    await guardFile(`${target}.part`, () => output.save(target));
  }
  return targets.map(shortPath);
}

/** The path; with a number if this call has written it for another input, such as one of the same name. */
function distinctTarget(target: string, { label }: Task, { written }: SaveOptions): string {
  const extension = extname(target);
  const stem = target.slice(0, target.length - extension.length);
  let path = target;
  for (let count = 2; (written.get(path) ?? label) !== label; count++) {
    path = `${stem}-${count}${extension}`;
  }
  written.set(path, label);
  return path;
}

function targetOf(
  { destination, sources }: Task,
  job: Job,
  { filename }: Output,
  index: number,
  { suffix, inputs }: SaveOptions,
): string {
  if (destination.kind === "file") {
    if (job.outputs.length === 1) return resolve(destination.path);
    const extension = extname(destination.path) || extname(filename);
    const stem = basename(destination.path, extname(destination.path));
    return resolve(dirname(destination.path), `${stem}-${index + 1}${extension}`);
  }
  const folder = destination.kind === "folder" ? destination.path : ".";
  const fullName = destination.kind === "folder" ? destination.fullName : undefined;
  const safe = safeName(filename);
  const extension = extname(safe);
  const [source] = sources;
  const isNamed = fullName !== undefined && safe !== fullName;
  const own = isNamed ? renameStem(safe, source ? stemOf(source) : "", fullName) : safe;
  const target = resolve(folder, own);
  if (!inputs.has(target)) return target;
  return resolve(folder, `${own.slice(0, own.length - extension.length)}-${suffix}${extension}`);
}

/** Renames an output: `photo-1.webp` of `photo.jpg` becomes `photo.jpg-1.webp`. */
function renameStem(name: string, stem: string, fullName: string): string {
  return name.startsWith(stem) ? fullName + name.slice(stem.length) : `${fullName}-${name}`;
}

/** A name of the service as a name in a folder: never a path. */
export function safeName(filename: string): string {
  const name = filename.replaceAll(/[/\\\p{Cc}]/gu, "_");
  return name === "" || name === "." || name === ".." ? "output" : name;
}

/** The data of a job without files. */
async function saveResult(
  { destination, sources }: Task,
  { data, result }: Job,
  { isJson }: SaveOptions,
): Promise<string[]> {
  const text = `${JSON.stringify(result, null, 2)}\n`;
  if (destination.kind === "file" || (destination.kind === "folder" && destination.isGiven)) {
    const name = `${sources[0] ? stemOf(sources[0]) : data.operation.replace("/", "-")}.json`;
    const path = destination.kind === "file" ? destination.path : join(destination.path, name);
    await mkdir(dirname(resolve(path)), { recursive: true });
    await writeFile(path, text);
    return [shortPath(resolve(path))];
  }
  if (!isJson) printJson(result);
  return [];
}

async function writeToStdout(job: Job): Promise<void> {
  const [output, ...others] = job.outputs;
  if (!output) return;
  const advice = `Get the files with \`mediamill jobs get ${job.id} -o FOLDER/\`.`;
  if (others.length > 0) {
    const message = `The job has ${job.outputs.length} outputs, too many for stdout. ${advice}`;
    throw new CliError(message, exitCodes.usage);
  }
  if (process.stdout.isTTY && !output.contentType.startsWith("text/")) {
    const message = `${output.contentType} is not shown on a terminal. ${advice}`;
    throw new CliError(message, exitCodes.usage);
  }
  const { body } = await output.response();
  if (body) await pipeline(body, process.stdout, { end: false });
}
