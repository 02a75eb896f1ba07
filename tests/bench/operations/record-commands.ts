import { cpSync } from "node:fs";
import { copyFile, mkdtemp, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { ForkServer } from "#lib/engines/sandbox/fork-server/fork-server.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { runForTenant, sharedTenant } from "#lib/engines/warm/tenant.ts";
import { withMainInput } from "#lib/engines/worker/operation.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { InputFile, Operation } from "#lib/operations/define.ts";
import { executeOperation } from "#lib/operations/execute.ts";
import { projectFolder } from "#lib/setup/node24.mjs";

/** A command line without the sandbox and the limits of the service. */
export interface BareCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** A copy of the job's work folder as it was when the command was started. */
  readonly folder: string;
}

/** The programs that do one thing and end. The others stay warm. */
const programs = new Set(
  (
    "ffmpeg ffprobe jpegtran cjxl vips vipsheader dcraw_emu 7z 7zz " +
    "pdfinfo pdftotext pdftoppm pdfimages pdffonts pdfsig gs tesseract ocrmypdf"
  ).split(" "),
);

/** Runs the sample of an operation in this process, in new folders in `parent`, and records what it starts. */
export async function recordCommands(operation: Operation, parent: string): Promise<BareCommand[]> {
  const folder = await mkdtemp(join(parent, "job-"));
  const work = WorkFolder.create(folder, { network: noNetwork });
  const { sample } = operation;
  const inputs: InputFile[] = [];
  for (const name of sample.inputs) inputs.push(await copySample(name, work));
  const files: Record<string, InputFile> = {};
  for (const [part, name] of Object.entries(sample.files)) {
    files[part] = await copySample(name, work);
  }
  const context = {
    ...withMainInput(inputs),
    files,
    params: operation.params.parse(sample.params),
    work,
    signal: new AbortController().signal,
    progress: () => {},
  };
  const commands: BareCommand[] = [];
  const { start } = ForkServer.prototype;
  ForkServer.prototype.start = function record(request) {
    // A copy of a zygote has its command among the arguments.
    const words = "command" in request ? [request.command, ...request.args] : request.args;
    const bare = withoutSandbox(words);
    if (bare) {
      const copy = `${folder}-${commands.length}`;
      cpSync(folder, copy, { recursive: true });
      commands.push({ ...bare, folder: copy });
    }
    return start.call(this, request);
  };
  try {
    await runForTenant(sharedTenant, () => executeOperation(operation, context));
  } finally {
    ForkServer.prototype.start = start;
  }
  return commands;
}

async function copySample(name: string, work: WorkFolder): Promise<InputFile> {
  const type = mediaTypeOfExtension(extname(name).slice(1));
  const file = work.input(type.extension);
  await copyFile(join(projectFolder, "public/samples/inputs", name), file.path);
  const { size: bytes } = await stat(file.path);
  return { ...file, type, bytes, filename: name };
}

/** The command after the last `--`, which ends the options of bubblewrap and of prlimit, without its variables. */
function withoutSandbox(words: readonly string[]): Omit<BareCommand, "folder"> | undefined {
  const inner = words.slice(words.lastIndexOf("--") + 1);
  const isVariable = (word: string) => word === "env" || /^[A-Z_]+=/.test(word);
  const [command, ...args] = inner.slice(inner.findIndex((word) => !isVariable(word)));
  if (command === undefined || !programs.has(basename(command))) return undefined;
  return { command, args };
}
