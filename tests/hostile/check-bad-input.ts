import { statSync } from "node:fs";
import { expect } from "vitest";
import { EngineError } from "#lib/engines/sandbox/failures/errors.ts";
import { JobError } from "#lib/errors.ts";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { acceptsType, type Operation } from "#lib/operations/define.ts";
import { makeOperationSamples } from "../samples/catalogue-samples.ts";
import { smallVideo } from "../samples/videos.ts";
import { type BadInput, buildBadInput, expectedOutcomes, type Outcome } from "./bad-input.ts";
import { startCanary } from "./canary.ts";
import { measurePeak } from "./engine-processes.ts";
import {
  createWorkFolder,
  type OperationRun,
  runWatched,
  type Sample,
  type WatchedRequest,
} from "./watched-run.ts";

/** Checks operations with rows of the catalogue of bad inputs, in tests and in soak runs. */

/** A row as the main file of an operation, or as its additional file `extraFile`. */
export interface BadCase {
  readonly id: string;
  readonly operation: Operation;
  readonly row: BadInput;
  readonly extraFile?: string;
}

/** An additional check of a completed run. */
export type CheckRun = (run: OperationRun, row: BadInput, operation: Operation) => unknown;

/** The rows that the operation accepts as its main file, and harmful rows also as its additional files. */
export function createCases(rows: readonly BadInput[], operation: Operation): BadCase[] {
  const params = operation.params.parse(operation.example);
  const accepted = rows.filter(
    ({ type }) =>
      acceptsType(operation, type) && operation.rejects?.(type, params, 0) === undefined,
  );
  const asExtraFiles = Object.entries(operation.files ?? {}).flatMap(([extraFile, file]) =>
    rows
      .filter((row) => acceptsType(file, row.type) && isHarmful(row))
      .map((row) => ({ id: `${row.id} as ${extraFile}`, operation, row, extraFile })),
  );
  return [...accepted.map((row) => ({ id: row.id, operation, row })), ...asExtraFiles];
}

/** A row that is only unusual completes and has no memory limit. */
function isHarmful({ expected, maxEngineBytes }: BadInput): boolean {
  return maxEngineBytes !== undefined || expected.some((outcome) => outcome !== "completes");
}

/** Runs a case. Checks the outcome, the time, the memory and the outputs; throws if a check fails. */
export async function checkCase(one: BadCase, check: CheckRun = () => {}): Promise<Outcome> {
  const { row, operation, extraFile } = one;
  const sample = await buildBadInput(row);
  // The type is detected first, in this process: it must survive any file.
  await sniffFile(sample.path, { filename: sample.filename ?? sample.path });
  const good = await makeOperationSamples(operation);
  const inputs = good.inputs.map(
    (input): Sample => (input.type === "mp4" ? { path: smallVideo(), type: "mp4" } : input),
  );
  if (extraFile === undefined) {
    return runCase(one, [sample, ...inputs.slice(1)], good.files, check);
  }
  return runCase(one, inputs, { ...good.files, [extraFile]: sample }, check);
}

/** Checks that the operation's next job with a good file completes, with an output of the declared type. */
export async function checkGoodJob(operation: Operation): Promise<void> {
  const { inputs, files } = await makeOperationSamples(operation);
  const work = createWorkFolder();
  try {
    const request = { operation, sample: inputs, params: exampleFor(operation), files, work };
    checkOutputs(await runWatched(request), inputs, operation);
  } finally {
    await work.remove();
  }
}

/** Parameters in place of which an operation takes a further file. */
const replacedParameters: Readonly<Record<string, readonly string[]>> = {
  "document/watermark-pdf/watermark": ["text"],
};

/** The data of Russian load five times faster than those of English, and the language does not change how a file is read. */
const quickParameters: Readonly<Record<string, Record<string, unknown>>> = {
  "document/ocr": { languages: "rus" },
  "image/ocr": { languages: "rus" },
};

function exampleFor({ id, example }: Operation, extraFile?: string): Record<string, unknown> {
  const replaced = replacedParameters[`${id}/${extraFile}`] ?? [];
  const kept = Object.entries(example).filter(([name]) => !replaced.includes(name));
  return { ...Object.fromEntries(kept), ...quickParameters[id] };
}

async function runCase(
  { row, operation, extraFile }: BadCase,
  sample: readonly Sample[],
  files: Record<string, Sample>,
  check: CheckRun,
): Promise<Outcome> {
  const work = createWorkFolder();
  try {
    const params = exampleFor(operation, extraFile);
    const request = { operation, sample, params, files, work };
    const begin = performance.now();
    const { outcome, detail, run } = row.maxEngineBytes
      ? await withMemoryLimit(row.maxEngineBytes, () => attempt(request))
      : await attempt(request);
    const seconds = (performance.now() - begin) / 1000;
    expect(expectedOutcomes(row, operation, extraFile), detail).toContain(outcome);
    expect(seconds).toBeLessThan(row.timeoutSeconds ?? 120);
    if (run) {
      checkOutputs(run, sample, operation);
      if (operation.id === "pipeline/file-inspect") checkInspection(run, row);
      if (extraFile === undefined) await check(run, row, operation);
    }
    // Idle engines must not connect either.
    expect((await startCanary()).takeHits()).toEqual([]);
    return outcome;
  } finally {
    await work.remove();
  }
}

function checkOutputs(
  { outputs, params }: OperationRun,
  [input]: readonly Sample[],
  operation: Operation,
) {
  expect(outputs.length).toBeGreaterThan(0);
  for (const { path } of outputs) expect(statSync(path).size).toBeGreaterThan(0);
  const outputType = mediaTypeOfExtension(outputs[0]?.extension ?? "").id;
  expect(outputType).toBe(operation.produces(input?.type ?? "unknown", params));
}

interface Attempt {
  readonly outcome: Outcome;
  readonly detail: string;
  readonly run?: OperationRun;
}

/** Runs the operation. Errors other than `JobError` are bugs and are thrown. */
async function attempt(request: WatchedRequest): Promise<Attempt> {
  try {
    return { outcome: "completes", detail: "", run: await runWatched(request) };
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    const { cause } = error;
    const stderr = cause instanceof EngineError ? cause.stderrTail : "";
    return { outcome: error.code, detail: `${error.message} ${cause} ${stderr}` };
  }
}

async function withMemoryLimit(
  maxEngineBytes: number,
  work: () => Promise<Attempt>,
): Promise<Attempt> {
  const { result, peakBytes } = await measurePeak(work);
  expect(peakBytes).toBeLessThan(maxEngineBytes);
  return result;
}

/** If reading the content fails, an inspection reports the same problem, unless it did not read that far. */
function checkInspection({ result }: OperationRun, row: BadInput): void {
  if (result?.problem !== undefined) expect(row.expected).toContain(result.problem);
}
