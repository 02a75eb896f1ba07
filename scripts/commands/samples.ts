import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Operation } from "#lib/operations/define.ts";
import { samplePath } from "#lib/setup/catalogue.mjs";
import { projectFolder } from "#lib/setup/node24.mjs";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import { buildService } from "./build-service.ts";
import { writeCatalogue } from "./catalogue.ts";
import { recordPreviews, recordSample } from "./record-sample.ts";
import { writeTile } from "./sample-previews.ts";

/** A running service that makes the samples. */
interface SampleService {
  readonly url: string;
  readonly apiKey: string;
  stop(): Promise<unknown>;
}

/**
 * `npm run samples`: has a service run the `sample` of operations, and records the outputs and jobs in
 * `public/samples`, where the site reads them. Makes the samples that are missing, those of the
 * operations named (`npm run samples -- image/rotate`), or all (`--all`). Starts a service for it, or
 * uses a running one (`--url http://localhost:3000 --key mm_live_…`). With `--previews`, only the
 * pictures are made again that the site shows of the files.
 */
export async function makeSamples(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: "boolean" },
      previews: { type: "boolean" },
      url: { type: "string" },
      key: { type: "string" },
    },
  });
  await writeCatalogue();
  if (values.previews) return renewPreviews(positionals);
  const chosen = await chooseOperations(positionals, values.all ?? false);
  if (chosen.length === 0) {
    process.stdout.write("All operations have a sample.\n");
    return;
  }
  const service = await openService(values);
  try {
    for (const operation of chosen) {
      await recordSample(operation, service);
      process.stdout.write(`${samplePath(operation.id)}\n`);
    }
  } finally {
    await service.stop();
  }
  await writeCatalogue();
}

async function renewPreviews(ids: readonly string[]): Promise<void> {
  const { operations } = await import("#lib/operations/catalogue/index.ts");
  for (const operation of operations.filter(({ id }) => ids.length === 0 || ids.includes(id))) {
    await recordPreviews(operation);
  }
  const { trySamples } = await import("#components/try-it/samples.ts");
  for (const { picture, tile } of ids.length === 0 ? trySamples : []) {
    const inPublic = (path: string) => join(projectFolder, "public", path);
    await writeTile(inPublic(picture), inPublic(tile));
  }
}

async function chooseOperations(ids: readonly string[], all: boolean): Promise<Operation[]> {
  // Loaded only now: the list of operations has just been generated.
  const { operations } = await import("#lib/operations/catalogue/index.ts");
  const unknown = ids.find((id) => !operations.some((operation) => operation.id === id));
  if (unknown !== undefined) throw new StartError(`there is no operation ${unknown}`);
  if (ids.length > 0) return operations.filter(({ id }) => ids.includes(id));
  const { env } = await import("#lib/env.ts");
  return operations.filter(({ id, variables = [] }) => {
    if (!all && existsSync(join(projectFolder, samplePath(id)))) return false;
    const unset = variables.find((name) => env[name] === undefined);
    if (unset) process.stdout.write(`${id} is left out, because ${unset} is not set.\n`);
    return !unset;
  });
}

async function openService(options: {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}): Promise<SampleService> {
  const { url, key } = options;
  if (url !== undefined && key !== undefined) return { url, apiKey: key, stop: async () => {} };
  if (url !== undefined || key !== undefined) {
    throw new StartError("--url and --key: a running service needs both");
  }
  // A build takes longer than a service may take to start.
  await buildService();
  const { startStack } = await import("#tests/service/stack.ts");
  try {
    return await startStack();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new StartError(`samples: ${message}`);
  }
}
