import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { mediaType, mediaTypesOfMime } from "#lib/media/types.ts";
import type { Naming, Plan, PlanFile, Step, Task } from "../plan/plan.ts";
import type { Caller } from "./caller.ts";
import { explainFailure } from "./explain-failure.ts";
import { mapInParallel } from "./map-in-parallel.ts";
import { type JobFiles, type JobPlace, type JobStep, runJob } from "./run-job.ts";

/** A file between two steps: a stored one with its name, or the URL of a page. */
interface Item {
  readonly files: JobFiles;
  /** Undefined if Gotenberg makes up a name. */
  readonly name: string | undefined;
}

/** A result of a plan. */
export interface PlanOutput {
  readonly file: UploadedFile;
  readonly name: string | undefined;
}

export interface PlanResult {
  readonly outputs: readonly PlanOutput[];
  /** The results of the last operation by the names of the files. */
  readonly results: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** What the steps need of the request in addition. */
export interface PlanContext {
  readonly caller: Caller;
  /** Stores files as a ZIP. */
  readonly zip: (files: ReadonlyMap<string, UploadedFile>) => Promise<UploadedFile>;
}

interface PlacedContext extends PlanContext {
  readonly place: JobPlace;
}

/** The most operations of a chain. */
const maxChain = 10;

/** Files that are processed at the same time. The queue is fair between accounts, not within one. */
const parallelFiles = 8;

/** Runs the steps of a plan as jobs: consecutive operations on one file are one chain. Throws `GotenbergError`. */
export async function runPlan(plan: Plan, context: PlanContext): Promise<PlanResult> {
  let items: Item[] =
    "url" in plan.source
      ? [{ files: { inputs: [], url: plan.source.url }, name: undefined }]
      : plan.source.files.map((file) => ({ files: { inputs: [file] }, name: file.filename }));
  const results = new Map<string, Readonly<Record<string, unknown>>>();
  const groups = groupSteps(plan.steps);
  for (const [index, group] of groups.entries()) {
    const [first] = group;
    const jobs = first?.takes === "all" ? 1 : items.length;
    const isOnly = groups.length === 1 && jobs === 1 && !("url" in plan.source);
    if (first?.takes === "all") {
      const placed = { ...context, place: { name: `${index}`, isOnly } };
      items = await runTogether(plan, first, items, placed);
    } else {
      const next = await mapInParallel(items, parallelFiles, async (item, number) => {
        const placed = { ...context, place: { name: `${index}-${number}`, isOnly } };
        const { job, items: made } = await runEach(plan, group, item, placed);
        if (job?.result) results.set(item.name ?? "", job.result);
        return made;
      });
      items = next.flat();
    }
  }
  const outputs = items.flatMap(({ files, name }) => files.inputs.map((file) => ({ file, name })));
  return { outputs, results };
}

/**
 * Groups of steps that one job can do on each file. Only the last step of a group may have several outputs, and a
 * step with further inputs, or on all files, is alone.
 */
export function groupSteps(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  let isOpen = false;
  for (const step of steps) {
    const isAlone = step.takes === "all" || step.others !== undefined;
    const last = groups.at(-1);
    if (isOpen && !isAlone && last && last.length < maxChain) last.push(step);
    else groups.push([step]);
    isOpen = !isAlone && step.naming.kind !== "number";
  }
  return groups;
}

async function runTogether(
  plan: Plan,
  step: Step,
  items: readonly Item[],
  context: PlacedContext,
): Promise<Item[]> {
  const inputs = items.flatMap(({ files }) => files.inputs);
  const jobStep = await prepare(step, context);
  const job = await runExplained(plan, [jobStep], { inputs }, undefined, context);
  return job.outputs.map((output, index) => toItem(output, index, step.naming, undefined));
}

async function runEach(
  plan: Plan,
  group: readonly Step[],
  item: Item,
  context: PlacedContext,
): Promise<{ job: JobRow | undefined; items: Item[] }> {
  const jobSteps: JobStep[] = [];
  let { name } = item;
  let naming: Naming = { kind: "keep" };
  for (const step of group) {
    const task = taskFor(step, item.name);
    if (task) jobSteps.push(await prepare({ ...step, ...task }, context));
    naming = step.naming;
    if (naming.kind !== "number") name = nameOutput(name, naming, 0);
  }
  const [first, ...others] = jobSteps;
  if (!first) return { job: undefined, items: [{ ...item, name }] };
  const inputs = [...item.files.inputs, ...(group[0]?.others ?? [])];
  const files = { ...item.files, inputs };
  const job = await runExplained(plan, [first, ...others], files, item.name, context);
  if (plan.answer) return { job, items: [] };
  const keptNaming: Naming = naming.kind === "number" ? naming : { kind: "keep" };
  const made = job.outputs.map((output, index) => toItem(output, index, keptNaming, name));
  return { job, items: made };
}

/** What a step does with a file; undefined for nothing. */
function taskFor(step: Step, name = ""): Task | undefined {
  if (step.otherTasks?.has(name)) return step.otherTasks.get(name);
  const params = step.paramsByName ? step.paramsByName.get(name) : step.params;
  return params && { operation: step.operation, params };
}

async function prepare(
  { operation, params, parts = {}, fields = {} }: Step,
  { zip }: PlanContext,
): Promise<JobStep> {
  const resolved: Record<string, UploadedFile> = {};
  for (const [part, file] of Object.entries(parts)) {
    resolved[part] = isArchive(file) ? await zip(file.zip) : file;
  }
  return { operation, params, parts: resolved, fields };
}

function isArchive(file: PlanFile): file is Extract<PlanFile, { zip: unknown }> {
  return "zip" in file;
}

async function runExplained(
  plan: Plan,
  steps: readonly [JobStep, ...JobStep[]],
  files: JobFiles,
  name: string | undefined,
  { caller, place }: PlacedContext,
): Promise<JobRow> {
  try {
    return await runJob(steps, files, caller, place);
  } catch (error) {
    throw explainFailure(error, plan, name);
  }
}

function toItem(output: JobOutput, index: number, naming: Naming, name: string | undefined): Item {
  const { key, contentType, bytes } = output;
  const [id = "unknown"] = mediaTypesOfMime(contentType);
  const named = nameOutput(name, naming, index);
  const filename = named ?? output.filename;
  const file = { key, filename, type: mediaType(id), bytes, sha256: "" };
  return { files: { inputs: [file] }, name: named };
}

function nameOutput(name: string | undefined, naming: Naming, index: number): string | undefined {
  if (naming.kind === "none" || name === undefined) {
    return naming.kind === "number" ? `_${index}.pdf` : undefined;
  }
  if (naming.kind === "append") return `${name}.${naming.extension}`;
  if (naming.kind === "number") return name.replace(/(?:\.[^./]*)?$/, `_${index}.pdf`);
  return name;
}
