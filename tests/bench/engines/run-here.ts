import { copyFile, mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { InputFile, Operation } from "#lib/operations/define.ts";

export interface Input {
  readonly path: string;
  readonly type: MediaTypeId;
}

const signal = new AbortController().signal;

/** Runs an operation in this process, with its sandboxed engines. Returns how many outputs it has, and their bytes. */
export async function runHere(
  operation: Operation,
  inputs: readonly Input[],
  given: Record<string, unknown>,
): Promise<{ count: number; bytes: number }> {
  const { WorkFolder } = await import("#lib/engines/sandbox/work-folder.ts");
  const { executeOperation } = await import("#lib/operations/execute.ts");
  const work = WorkFolder.create(await mkdtemp(join(tmpdir(), "mediamill-job-")), {
    network: noNetwork,
  });
  try {
    const files: InputFile[] = [];
    for (const { path, type } of inputs) {
      const file = work.input(mediaType(type).extension);
      await copyFile(path, file.path);
      const { size: bytes } = await stat(path);
      files.push({ ...file, type: mediaType(type), bytes, filename: `input.${type}` });
    }
    const [input] = files;
    if (!input) throw new Error("no input");
    const params = operation.params.parse(given);
    const request = { input, inputs: files, files: {}, params, work, signal, progress: () => {} };
    const { outputs } = await executeOperation(operation, request);
    const sizes = await Promise.all(outputs.map(async ({ path }) => (await stat(path)).size));
    return { count: outputs.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  } finally {
    await work.remove();
  }
}
