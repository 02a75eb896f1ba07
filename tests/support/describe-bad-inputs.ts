import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { JobError } from "#lib/errors.ts";
import { sniffFile } from "#lib/media/sniff.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { operations } from "#lib/operations/index.ts";
import { type Answer, type BadInput, buildBadInput, expectedAnswers } from "./bad-input.ts";
import { samplesFor } from "./catalogue-samples.ts";
import { measurePeak } from "./engine-processes.ts";
import { type OperationRun, runOperation, type Sample } from "./operation.ts";
import { smallFilm } from "./videos.ts";

/** What a test of a group of rows holds beside what holds for all. */
export type CheckRun = (run: OperationRun, row: BadInput, operation: Operation) => unknown;

/**
 * A test for every row on every operation of the catalogue that accepts its type, and for each of these
 * operations one that the next job is fine. Rows that mean harm are given as the files beside the main
 * one too. Those that take long stay out.
 */
export function describeBadInputs(rows: readonly BadInput[], check: CheckRun = () => {}): void {
  const quick = rows.filter(({ isSlow }) => !isSlow);
  for (const operation of operations) {
    const own = quick.filter(({ type }) => operation.accepts.includes(type));
    const parts = Object.entries(operation.files ?? {}).flatMap(([part, { accepts }]) =>
      quick
        .filter((row) => accepts.includes(row.type) && meansHarm(row))
        .map((row) => ({ part, row, id: row.id })),
    );
    if (own.length + parts.length === 0) continue;
    describe(operation.id, () => {
      test.each(own)("$id", { timeout }, (row) => holdRow(row, operation, check));
      test.each(parts)("$id as $part", { timeout }, ({ row, part }) =>
        holdPart(row, operation, part),
      );
      test("after all of them the next job is fine", async () => {
        const { input, files } = await samplesFor(operation);
        const { outputs } = await runOperation(operation, input, operation.example, files);
        expect(outputs.length).toBeGreaterThan(0);
      });
    });
  }
}

/** A row that is merely rare completes, and is held to no bound. */
function meansHarm({ answers, mostBytes }: BadInput): boolean {
  return mostBytes !== undefined || answers.some((answer) => answer !== "completes");
}

/** Of the test; what the row allows is held in it. */
const timeout = 300_000;

async function holdRow(row: BadInput, operation: Operation, check: CheckRun): Promise<void> {
  const sample = await buildBadInput(row);
  // The type is told before anything else, in our own process.
  await sniffFile(sample.path, { filename: sample.filename ?? sample.path });
  const { files } = await samplesFor(operation);
  const run = await hold(row, expectedAnswers(row, operation), () =>
    runOperation(operation, sample, operation.example, files),
  );
  if (!run) return;
  const made = mediaTypeOfExtension(run.outputs[0]?.extension ?? "").id;
  expect(made).toBe(operation.produces(sample.type, run.params));
  if (operation.id === "pipeline/file-inspect") holdInspection(run, row);
  await check(run, row, operation);
}

async function holdPart(row: BadInput, operation: Operation, part: string): Promise<void> {
  const { input, files } = await samplesFor(operation);
  const main: Sample = input.type === "mp4" ? { path: smallFilm(), type: "mp4" } : input;
  const all = { ...files, [part]: await buildBadInput(row) };
  await hold(row, expectedAnswers(row, operation, part), () =>
    runOperation(operation, main, operation.example, all),
  );
}

/** Holds the answer, the time and the memory; resolves with the run of a job that completed. */
async function hold(
  row: BadInput,
  expected: readonly Answer[],
  work: () => Promise<OperationRun>,
): Promise<OperationRun | undefined> {
  const begin = performance.now();
  const result = row.mostBytes ? await bounded(row.mostBytes, work) : await attempt(work);
  const seconds = (performance.now() - begin) / 1000;
  expect(expected, result.detail).toContain(result.answer);
  expect(seconds).toBeLessThan(row.seconds ?? 120);
  const outputs = result.run?.outputs ?? [];
  for (const { path } of outputs) expect(statSync(path).size).toBeGreaterThan(0);
  if (result.run) expect(outputs.length).toBeGreaterThan(0);
  return result.run;
}

interface Attempt {
  readonly answer: Answer;
  readonly detail: string;
  readonly run?: OperationRun;
}

/** An error that is none of a job's is one of ours, and passes. */
async function attempt(work: () => Promise<OperationRun>): Promise<Attempt> {
  try {
    return { answer: "completes", detail: "", run: await work() };
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    return { answer: error.code, detail: `${error.message} ${error.cause}` };
  }
}

async function bounded(mostBytes: number, work: () => Promise<OperationRun>): Promise<Attempt> {
  const { result, peakBytes } = await measurePeak(() => attempt(work));
  expect(peakBytes).toBeLessThan(mostBytes);
  return result;
}

/** Where reading the content fails, an inspection tells the same, or has had no need to read so far. */
function holdInspection({ result }: OperationRun, row: BadInput): void {
  if (result?.problem !== undefined) expect(row.answers).toContain(result.problem);
}
