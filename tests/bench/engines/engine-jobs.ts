import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { readTags } from "#lib/engines/exiftool/exiftool.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { closeEngines, warmUpEngines } from "#lib/engines/index.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { runForTenant, sharedTenant } from "#lib/engines/warm/tenant.ts";
import { dataPath } from "#lib/env.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { InputFile, Operation } from "#lib/operations/define.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import { htmlToPdf } from "#lib/operations/document/html-to-pdf/index.ts";
import { executeOperation } from "#lib/operations/execute.ts";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import type { EngineJob, EngineRequest } from "../sandbox.bench.ts";

/** One side of the comparison: warm engines with the `SANDBOX` setting of this process; one job per message. */

const signal = new AbortController().signal;

type Job = (input: InputFile, work: WorkFolder) => Promise<unknown>;

function createOperationJob(operation: Operation): Job {
  const params = operation.params.parse(operation.example);
  return (input, work) =>
    executeOperation(operation, {
      input,
      inputs: [input],
      files: {},
      params,
      work,
      signal,
      progress: () => {},
    });
}

const jobs: Record<EngineJob, Job> = {
  image: createOperationJob(sharpen),
  page: createOperationJob(htmlToPdf),
  office: createOperationJob(docToPdf),
  tags: (input) => readTags(input, signal),
  probe: (input, work) => probe(input, work, signal),
};

async function run({ job, path, type }: EngineRequest): Promise<number> {
  const work = WorkFolder.create(await mkdtemp(dataPath("job-")), { network: noNetwork });
  const file = work.input(mediaType(type satisfies MediaTypeId).extension);
  await copyFile(path, file.path);
  const input = { ...file, type: mediaType(type), bytes: 1, filename: `input.${type}` };
  const startedAt = performance.now();
  // Outside of a job, each call would get a process of its own.
  await runForTenant(sharedTenant, () => jobs[job](input, work));
  const tookMs = performance.now() - startedAt;
  await work.remove();
  return tookMs;
}

process.on("message", async (request: EngineRequest | "stop") => {
  if (request !== "stop") {
    process.send?.(await run(request));
    return;
  }
  await closeEngines();
  await rm(join(dataPath()), { recursive: true, force: true });
  process.exit(0);
});

await warmUpEngines();
process.send?.("warm");
