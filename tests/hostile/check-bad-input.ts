import { statSync } from "node:fs";
import { expect } from "vitest";
import { EngineError } from "#lib/engines/sandbox/errors.ts";
import { JobError } from "#lib/errors.ts";
import { sniffFile } from "#lib/media/sniff/sniff.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { samplesFor } from "../samples/catalogue-samples.ts";
import { smallFilm } from "../samples/videos.ts";
import { type Answer, type BadInput, buildBadInput, expectedAnswers } from "./bad-input.ts";
import { layBait } from "./canary.ts";
import { measurePeak } from "./engine-processes.ts";
import {
  makeWorkFolder,
  type OperationRun,
  runWatched,
  type Sample,
  type WatchedRequest,
} from "./watched-run.ts";

/** Holds operations against rows of the catalogue of bad inputs, in a test or outside of one. */

/** A row as the main file of an operation, or as the file `part` beside it. */
export interface BadCase {
  readonly id: string;
  readonly operation: Operation;
  readonly row: BadInput;
  readonly part?: string;
}

/** What is held of a run beside what holds for all. */
export type CheckRun = (run: OperationRun, row: BadInput, operation: Operation) => unknown;

/** `rows` that the operation accepts; those that mean harm as the files beside the main one too. */
export function casesOf(rows: readonly BadInput[], operation: Operation): BadCase[] {
  const own = rows.filter(({ type }) => operation.accepts.includes(type));
  const parts = Object.entries(operation.files ?? {}).flatMap(([part, { accepts }]) =>
    rows
      .filter((row) => accepts.includes(row.type) && meansHarm(row))
      .map((row) => ({ id: `${row.id} as ${part}`, operation, row, part })),
  );
  return [...own.map((row) => ({ id: row.id, operation, row })), ...parts];
}

/** A row that is merely rare completes, and is held to no bound. */
function meansHarm({ answers, mostBytes }: BadInput): boolean {
  return mostBytes !== undefined || answers.some((answer) => answer !== "completes");
}

/** Holds the answer, the time, the memory and the outputs; throws where something does not hold. */
export async function holdCase(one: BadCase, check: CheckRun = () => {}): Promise<Answer> {
  const { row, operation, part } = one;
  const sample = await buildBadInput(row);
  // The type is told before anything else, in our own process.
  await sniffFile(sample.path, { filename: sample.filename ?? sample.path });
  const good = await samplesFor(operation);
  if (part === undefined) return hold(one, sample, good.files, check);
  const main: Sample = good.input.type === "mp4" ? { path: smallFilm(), type: "mp4" } : good.input;
  return hold(one, main, { ...good.files, [part]: sample }, check);
}

/** The next job of the operation is fine, whatever came before it. */
export async function holdGoodJob(operation: Operation): Promise<void> {
  const { input, files } = await samplesFor(operation);
  const work = makeWorkFolder();
  try {
    const request = { operation, sample: input, params: operation.example, files, work };
    expect((await runWatched(request)).outputs.length).toBeGreaterThan(0);
  } finally {
    await work.remove();
  }
}

async function hold(
  { row, operation, part }: BadCase,
  sample: Sample,
  files: Record<string, Sample>,
  check: CheckRun,
): Promise<Answer> {
  const work = makeWorkFolder();
  try {
    const request = { operation, sample, params: operation.example, files, work };
    const begin = performance.now();
    const { answer, detail, run } = row.mostBytes
      ? await bounded(row.mostBytes, () => attempt(request))
      : await attempt(request);
    const seconds = (performance.now() - begin) / 1000;
    expect(expectedAnswers(row, operation, part), detail).toContain(answer);
    expect(seconds).toBeLessThan(row.seconds ?? 120);
    if (run) {
      holdOutputs(run, sample, operation);
      if (operation.id === "pipeline/file-inspect") holdInspection(run, row);
      if (part === undefined) await check(run, row, operation);
    }
    // An engine at rest asks for nothing either.
    expect((await layBait()).takeHits()).toEqual([]);
    return answer;
  } finally {
    await work.remove();
  }
}

function holdOutputs({ outputs, params }: OperationRun, { type }: Sample, operation: Operation) {
  expect(outputs.length).toBeGreaterThan(0);
  for (const { path } of outputs) expect(statSync(path).size).toBeGreaterThan(0);
  const made = mediaTypeOfExtension(outputs[0]?.extension ?? "").id;
  expect(made).toBe(operation.produces(type, params));
}

interface Attempt {
  readonly answer: Answer;
  readonly detail: string;
  readonly run?: OperationRun;
}

/** An error that is none of a job's is one of ours, and passes. */
async function attempt(request: WatchedRequest): Promise<Attempt> {
  try {
    return { answer: "completes", detail: "", run: await runWatched(request) };
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    const { cause } = error;
    const said = cause instanceof EngineError ? cause.stderrTail : "";
    return { answer: error.code, detail: `${error.message} ${cause} ${said}` };
  }
}

async function bounded(mostBytes: number, work: () => Promise<Attempt>): Promise<Attempt> {
  const { result, peakBytes } = await measurePeak(work);
  expect(peakBytes).toBeLessThan(mostBytes);
  return result;
}

/** Where reading the content fails, an inspection tells the same, or has had no need to read so far. */
function holdInspection({ result }: OperationRun, row: BadInput): void {
  if (result?.problem !== undefined) expect(row.answers).toContain(result.problem);
}
